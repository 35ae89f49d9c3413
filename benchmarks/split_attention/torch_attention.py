"""torch's scaled_dot_product_attention with one query a head, for make bench EX=split_attention.

    torch_attention.py SAMPLES SEED HEADSxKEYSxDIM:TYPE ...

For each case one line: the case, the backend that was fastest, and so many microseconds of one call: calls in a replayed CUDA
graph, on the same inputs, behind a filler that keeps the stream busy while they are issued, as times.c does it. A case
that fails is a line too: the case, "-", and why.
"""
import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

TYPES = {"FP32": torch.float32, "FP16": torch.float16, "BF16": torch.bfloat16}
BACKENDS = {name: getattr(SDPBackend, name) for name in
            ("FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION", "MATH") if hasattr(SDPBackend, name)}
FILLER_CYCLES = 1_000_000  # of a clock of 2 GHz: 500 us


def capture(function, calls):
    function()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            function()
    return graph


def microseconds(graph, calls):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    torch.cuda._sleep(FILLER_CYCLES)
    start.record()
    graph.replay()
    end.record()
    torch.cuda.synchronize()
    return 1e3 * start.elapsed_time(end) / calls


def right(y, q, k, v):
    """Against FP64, head by head."""
    for head in range(q.shape[1]):
        one = [t[:, head:head + 1].double() for t in (q, k, v)]
        expected = torch.softmax(one[0] @ one[1].transpose(-1, -2) / one[0].shape[-1] ** 0.5, dim=-1) @ one[2]
        rtol, atol = (2e-4, 2e-6) if y.dtype == torch.float32 else (1e-2, 1e-3)
        if not bool(((y[:, head:head + 1].double() - expected).abs()
                     <= rtol * expected.abs() + atol * one[2].abs().max()).all()):
            return False
    return True


def time_case(words, samples, seed):
    shape, dtype = words.split(":")
    heads, keys, dim = (int(n) for n in shape.split("x"))
    generator = torch.Generator(device="cuda").manual_seed(seed)
    q, k, v = (torch.randn(1, heads, n, dim, device="cuda", generator=generator).to(TYPES[dtype]) for n in (1, keys, keys))
    calls = max(2, min(20, int(400 / (5 + 2 * k.numel() * k.element_size() / 2.5e6))))
    best = None
    reasons = []
    for name, backend in BACKENDS.items():
        def call():
            with sdpa_kernel(backend):
                return scaled_dot_product_attention(q, k, v)
        try:
            if not right(call(), q, k, v):
                raise ValueError("its numbers are wrong")
            graph = capture(call, calls)
            microseconds(graph, calls)
            time = min(microseconds(graph, calls) for _ in range(3))
            if best is None or time < best[0]:
                best = (time, name, graph)
        except Exception as error:  # a backend that does not take this shape or type
            reasons.append(f"{name}: {type(error).__name__}")
    if best is None:
        raise RuntimeError("; ".join(reasons))
    return best[1], [microseconds(best[2], calls) for _ in range(samples)]


def main():
    samples, seed = int(sys.argv[1]), int(sys.argv[2])
    with torch.inference_mode():
        for words in sys.argv[3:]:
            try:
                name, times = time_case(words, samples, seed)
                print(words, name, *(f"{t:.4f}" for t in times), flush=True)
            except Exception as error:  # the benchmark goes on without
                print(words, "-", str(error).replace("\n", " ")[:300], flush=True)
            torch.cuda.empty_cache()


main()
