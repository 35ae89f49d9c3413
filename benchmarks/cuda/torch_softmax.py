"""torch.softmax for make bench, by the benchmark's own method (docs/benchmarks.md).

Started by build/bench-cuda, which writes a line and reads one:

  (at the start)                                  ok VERSION
  case ROWS COLS TYPE SLOTS CALLS FLUSH SEED      ok
  sample graph|stream warm|cold                   ok DEVICE_US HOST_US     for one call; issuing it took the host HOST_US
  close                                           ok WORST_ERROR      against FP64
Anything that fails is answered with one line that says why.
"""
import random
import sys
import time

import torch

TYPES = {"FP32": torch.float32, "FP16": torch.float16, "BF16": torch.bfloat16}
FILLER_FIRST_CYCLES, FILLER_MOST_CYCLES = 400_000, 800_000_000  # of a clock of 2 GHz: 200 us, 400 ms


class Case:
    def __init__(self, rows, cols, dtype, slots, calls, flush_bytes, seed):
        self.calls, self.cols = calls, cols
        self.random = random.Random(seed)
        generator = torch.Generator(device="cuda").manual_seed(seed)
        base = torch.randn(rows, cols, device="cuda", generator=generator, dtype=torch.float32)
        self.base = (4 * base).to(dtype)
        self.x = [self.base.clone() for _ in range(slots)]
        self.y = [torch.empty_like(self.base) for _ in range(slots)]
        self.flush = torch.empty(flush_bytes, dtype=torch.uint8, device="cuda")
        self.start, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.filler_cycles = FILLER_FIRST_CYCLES
        self.worst_error = 0.0
        self.call(0)
        self.check(0)
        self.graphs = {"warm": self.capture(calls), "cold": self.capture(1)}

    def call(self, i):
        slot = i % len(self.x)
        torch.softmax(self.x[slot], dim=-1, out=self.y[slot])

    def capture(self, calls):
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for i in range(calls):
                self.call(i)
        return graph

    def refill(self, slot):
        shift = self.random.randrange(self.cols)
        torch.cat((self.base[:, shift:], self.base[:, :shift]), dim=1, out=self.x[slot])
        self.y[slot].fill_(float("nan"))

    def check(self, slot):
        expected = torch.softmax(self.x[slot][:64].double(), dim=-1)
        error = (self.y[slot][:64].double() - expected).abs()
        rtol, atol = (3e-5, 2e-7) if self.base.dtype == torch.float32 else (1e-2, 2e-5)
        if not bool((error <= atol + rtol * expected).all()):
            raise ValueError("its numbers are wrong")
        self.worst_error = max(self.worst_error, float(error.max()))

    def prepare(self, cold):
        for slot in range(1 if cold else len(self.x)):
            self.refill(slot)
        if cold:
            self.flush.fill_(self.random.randrange(256))
        torch.cuda.synchronize()

    def issue(self, mode, cache, calls):
        """What it took the host, in seconds."""
        start = time.perf_counter()
        if mode == "graph":
            self.graphs[cache].replay()
        else:
            for i in range(calls):
                self.call(i)
        return time.perf_counter() - start

    def sample(self, mode, cache):
        """Microseconds of one call: the device's, and the host's for issuing it. The stream is kept busy while the
        host issues; where the host was not done by then, the sample is taken again behind a longer filler."""
        calls = 1 if cache == "cold" else self.calls
        while True:
            self.prepare(cache == "cold")
            torch.cuda._sleep(self.filler_cycles)
            self.start.record()
            host = self.issue(mode, cache, calls)
            self.end.record()
            ahead = not self.start.query()
            torch.cuda.synchronize()
            if ahead:
                return 1e3 * self.start.elapsed_time(self.end) / calls, 1e6 * host / calls
            if self.filler_cycles > FILLER_MOST_CYCLES // 2:
                raise RuntimeError("its calls cannot be issued ahead of the device")
            self.filler_cycles *= 2


def answer(words, case):
    """The answer to a question, and the case that holds from now on."""
    if words[0] == "case":
        rows, cols, slots, calls, flush, seed = (int(words[i]) for i in (1, 2, 4, 5, 6, 7))
        return "ok", Case(rows, cols, TYPES[words[3]], slots, calls, flush, seed)
    if words[0] == "sample":
        device_us, host_us = case.sample(words[1], words[2])
        return f"ok {device_us:.6f} {host_us:.6f}", case
    case.refill(0)
    case.call(0)
    case.check(0)
    return f"ok {case.worst_error:.9g}", None


def main():
    with torch.inference_mode():
        torch.zeros(1, device="cuda")
        print(f"ok {torch.__version__}", flush=True)
        case = None
        for line in sys.stdin:
            try:
                if line.startswith("case"):
                    case = None
                    torch.cuda.empty_cache()
                words, case = answer(line.split(), case)
            except Exception as error:  # whatever it is, the benchmark goes on without
                words = f"{type(error).__name__}: {error}".replace("\n", " ")[:400]
            print(words, flush=True)


main()
