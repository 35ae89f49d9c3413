# How variants.jsonl was taken: the variants as in solutions/, beside peers, the copy and the parametrised kernels ("lab"). Samples to
# $OUT/samples.jsonl, one record a line. variants.sh builds the libraries and calls this.
import ctypes as C, json, os, sys, time, itertools, statistics as st

T0 = time.time()
LIMIT = float(os.environ.get("LIMIT", "150"))
import torch

try:
    import triton, triton.language as tl
except Exception as e:
    triton = None
H = os.environ["LIMITS_LIBRARIES"] + "/"
rec = open(os.environ["OUT"] + "/samples.jsonl", "a")


def out(**k):
    rec.write(json.dumps(k) + "\n")
    rec.flush()


class Mx(C.Structure):
    _fields_ = [("data", C.c_void_p), ("type", C.c_int), ("rows", C.c_int64), ("cols", C.c_int64), ("pitch", C.c_int64)]


F32, F16, BF = torch.float32, torch.float16, torch.bfloat16
TY = {F32: 0, F16: 2, BF: 14}
DT = {F32: 0, F16: 1, BF: 2}
P = C.c_void_p
I = C.c_int


def mk(t, cols):
    return Mx(t.data_ptr(), TY[t.dtype], t.shape[0], cols, t.shape[1])


def stream():
    return torch.cuda.current_stream().cuda_stream


def kit(n, f):
    g = getattr(C.CDLL(H + n + ".so"), f)
    g.argtypes = [Mx, Mx, I, P]
    g.restype = I
    return lambda x, y, cols, par: g(mk(x, cols), mk(y, cols), par, stream())


def ent(n, f, count):
    g = getattr(C.CDLL(H + n + ".so"), f)
    g.argtypes = [I, P, P] + [I] * count + [P]
    g.restype = I
    return lambda x, y, *a: g(DT[x.dtype], x.data_ptr(), y.data_ptr(), *a, stream())


lab_c, lab_f = ent("cluster_lab", "lab_cluster", 7), ent("fused_lab", "lab_fused", 7)
kits = {n: kit(n, "split_softmax") for n in ("plain", "wide_loads", "two_kernel", "cluster", "auto")}
kitf = {n: kit(n, "fused_softmax") for n in ("one_warp", "two_warps")}
if triton:

    @triton.jit
    def tut(y, x, p, n, B: tl.constexpr):
        r = tl.program_id(0)
        c = tl.arange(0, B)
        v = tl.load(x + r * p + c, mask=c < n, other=-float("inf")).to(tl.float32)
        v = tl.exp(v - tl.max(v, 0))
        tl.store(y + r * p + c, v / tl.sum(v, 0), mask=c < n)

    @triton.jit
    def spA(x, pm, ps, n, T, B: tl.constexpr):
        r = tl.program_id(1)
        k = tl.program_id(0)
        c = k * B + tl.arange(0, B)
        v = tl.load(x + r * n + c, mask=c < n, other=-float("inf")).to(tl.float32)
        m = tl.max(v, 0)
        s = tl.sum(tl.exp(v - tl.where(m == -float("inf"), 0.0, m)), 0)
        tl.store(pm + r * T + k, m)
        tl.store(ps + r * T + k, s)

    @triton.jit
    def spB(x, y, pm, ps, n, T, B: tl.constexpr, TB: tl.constexpr):
        r = tl.program_id(1)
        k = tl.program_id(0)
        c = k * B + tl.arange(0, B)
        t = tl.arange(0, TB)
        v = tl.load(x + r * n + c, mask=c < n, other=-float("inf")).to(tl.float32)
        m = tl.load(pm + r * T + t, mask=t < T, other=-float("inf"))
        s = tl.load(ps + r * T + t, mask=t < T, other=0.0)
        M = tl.max(m, 0)
        S = tl.sum(s * tl.exp(m - M), 0)
        tl.store(y + r * n + c, tl.exp(v - M) / S, mask=c < n)

    def trsplit(B, x, y, cols, pm, ps):
        T = -(-cols // B)
        g = (T, x.shape[0])
        spA[g](x, pm, ps, cols, T, B, num_warps=8)
        spB[g](x, y, pm, ps, cols, T, B, triton.next_power_of_2(T), num_warps=8)
        return 0


def setup():
    global flush, S, ev
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    S = torch.cuda.Stream()
    ev = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
    torch.cuda.synchronize()


class Timer:
    def __init__(s, f, calls=20):
        s.calls = calls
        with torch.cuda.stream(S):
            s.e = f()
            if s.e:
                return
        S.synchronize()
        s.g = torch.cuda.CUDAGraph()
        s.g1 = torch.cuda.CUDAGraph()
        with torch.cuda.stream(S):
            s.g.capture_begin(capture_error_mode="relaxed")
            for _ in range(calls):
                f()
            s.g.capture_end()
            s.g1.capture_begin(capture_error_mode="relaxed")
            f()
            s.g1.capture_end()

    def warm(s, n):
        w = []
        with torch.cuda.stream(S):
            s.g.replay()
            for _ in range(n):
                ev[0].record(S)
                s.g.replay()
                ev[1].record(S)
                S.synchronize()
                w.append(round(ev[0].elapsed_time(ev[1]) * 1000 / s.calls, 3))
        return w

    def cold(s, n):
        c = []
        with torch.cuda.stream(S):
            for _ in range(n):
                flush.fill_(1)
                ev[0].record(S)
                s.g1.replay()
                ev[1].record(S)
                S.synchronize()
                c.append(round(ev[0].elapsed_time(ev[1]) * 1000, 3))
        return c


def shape(M, N, pit, dt, cands, rounds, show=True, tag="shape", ncold=5):
    with torch.cuda.stream(S):
        x = torch.randn(M, pit, device="cuda").to(dt)
        y = torch.zeros_like(x)
        ref = torch.softmax(x[:, :N].float(), 1)
    S.synchronize()
    rt, at = (3e-5, 2e-7) if dt == F32 else (1e-2, 2e-5)
    key = dict(rows=M, cols=N, pitch=pit, type=str(dt)[6:])
    ts = []
    for name, f in cands(x, y):
        with torch.cuda.stream(S):
            y.zero_()
        try:
            t = Timer(f)
        except Exception as e:
            out(**key, what=name, error=str(e)[:200])
            print("EXC", key, name, str(e)[:120])
            continue
        if t.e:
            out(**key, what=name, error=t.e)
            print("ERROR", key, name, t.e)
            continue
        with torch.cuda.stream(S):
            ok = name in ("copy", "torch") or bool(((y[:, :N].float() - ref).abs() <= at + rt * ref).all())
        if not ok:
            print("WRONG", key, name)
        ts.append((name, t, ok, [], []))
    for i in range(rounds):
        for n, t, ok, w, c in ts:
            if time.time() - T0 > LIMIT:
                break
            w += t.warm(5)
            if ncold:
                c += t.cold(ncold)
    cp = next((st.median(w) for n, t, ok, w, c in ts if n == "copy" and w), 1)
    if show:
        print(key)
    for n, t, ok, w, c in ts:
        if not w:
            continue
        out(run=tag, **key, what=n, ok=ok, warm_us=w, cold_us=c)
        if show:
            print("   %7.2f %5.2fx  cold %7.2f  %s" % (st.median(w), st.median(w) / cp, st.median(c) if c else 0, n))
    sys.stdout.flush()


def wide_c(M, N):
    def f(x, y):
        pm = torch.empty(M * 256, device="cuda")
        ps = torch.empty_like(pm)
        r = [("copy", lambda: (y.copy_(x), 0)[1]), ("torch", lambda: (torch.softmax(x, 1, out=y), 0)[1])]
        if triton:
            r += [("triton%d" % b, lambda b=b: trsplit(b, x, y, N, pm, ps)) for b in (2048, 4096)]
        r += [("plain 1024", lambda: kits["plain"](x, y, N, 1024))]
        r += [
            ("%s %d" % (n, c), lambda g=kits[n], c=c: g(x, y, N, c))
            for n in ("wide_loads", "two_kernel")
            for c in (256, 1024, 4096)
        ]
        r += [(n, lambda g=kits[n]: g(x, y, N, 4096)) for n in ("cluster", "auto")]
        lab = {
            (64, F16): (16, 128, 0, 0, 64),
            (64, F32): (16, 256, 2, 2, 64),
            (512, F16): (16, 128, 0, 0, 64),
            (512, F32): (16, 256, 0, 0, 64),
            (4096, F16): (1, 128, 0, 0, 64),
            (4096, F32): (2, 128, 0, 0, 64),
        }.get((M, x.dtype), (16, 256, 0, 0, 64))
        return r + [("lab", lambda: lab_c(x, y, M, N, *lab))] if x.dtype != BF else r

    return f


def fused_c(M, N, pit):
    def f(x, y):
        xs, ys = x[:, :N], y[:, :N]
        r = [("copy", lambda: (ys.copy_(xs), 0)[1])]
        r += [("torch", lambda: (torch.softmax(xs, 1, out=ys) if N == pit else torch.softmax(xs, 1), 0)[1])]
        if triton:
            r += [
                ("tutorial%d" % w, lambda w=w: (tut[(M,)](y, x, pit, N, triton.next_power_of_2(N), num_warps=w), 0)[1])
                for w in (2, 4)
            ]
        r += [("%s r%d" % (n, k), lambda g=g, k=k: g(x, y, N, k)) for n, g in kitf.items() for k in (1, 2, 4, 8)]
        W = 1 if N <= 512 else 2
        return r + [("lab r4", lambda: lab_f(x, y, M, N, pit, 4, W, 4, 1110))] if x.dtype != BF else r

    return f


def fill(M, pit, N, dt):
    x = torch.randn(M, pit, device="cuda") * 4
    if M > 2:
        x[1] += 1000
        x[2] -= 1000
    if M > 3:
        x[3, :N] = -float("inf")
    if M > 4:
        x[4, : N // 2] = -float("inf")
    if M > 5:
        x[5, N // 3] = float("nan")
    if M > 6:
        x[6, N - 1] = float("inf")
    if M > 7:
        x[7, N // 2] = 300.0
    if M > 8:
        x[8] = 65504.0 if dt != BF else 3e38
    return x.to(dt)


def same(x, y, N, fused):
    r = torch.softmax(x[:, :N].double(), 1)
    o = y[:, :N].double()
    rt, at = (1e-5, 1e-8) if fused and x.dtype == F32 else (3e-5, 2e-7) if x.dtype == F32 else (1e-2, 2e-5)
    return bool((((o - r).abs() <= at + rt * r.abs()) | (o.isnan() & r.isnan())).all()) and bool((y[:, N:] == 7).all())


def right(kind):
    n = bad = 0
    fused = kind == "fused"
    shapes = (
        [
            (11, N, -(-N // 4) * 4)
            for N in (
                1,
                2,
                3,
                5,
                31,
                32,
                127,
                128,
                129,
                255,
                256,
                257,
                511,
                512,
                513,
                640,
                767,
                768,
                769,
                781,
                1000,
                1021,
                1023,
                1024,
            )
        ]
        + [(65537, 33, 36)]
        if fused
        else [
            (10, N, N)
            for N in (
                1,
                5,
                9,
                255,
                256,
                257,
                781,
                1025,
                4095,
                4096,
                4097,
                8191,
                8192,
                16385,
                32769,
                65535,
                99999,
                131071,
                131072,
            )
        ]
        + [(200, N, N) for N in (9, 2049, 8192, 32769, 131071)]
        + [(65537, 9, 9), (1, 131072, 131072), (1, 32769, 32769), (2, 131071, 131071)]
    )
    for (M, N, pit), dt in itertools.product(shapes, (F32, F16, BF)):
        if time.time() - T0 > LIMIT:
            print("cut short")
            break
        with torch.cuda.stream(S):
            x = fill(M, pit, N, dt)
            for (name, g), k in itertools.product(
                (kitf if fused else kits).items(), (1, 2, 4, 8) if fused else (256, 1024, 4096)
            ):
                y = torch.full_like(x, 7.0)
                e = g(x, y, N, k)
                n += 1
                if e or not same(x, y, N, fused):
                    bad += 1
                    out(run="right", rows=M, cols=N, type=str(dt)[6:], what=name, parameter=k, ok=False, error=e)
                    if bad < 15:
                        print("WRONG", name, M, N, dt, k, "error", e)
    out(run="right", what=kind, compared=n, wrong=bad)
    print("right", kind, n, "compared,", bad, "wrong")


def wide(M, N):
    for dt in (F32, F16, BF):
        shape(M, N, N, dt, wide_c(M, N), 3 if M * N > 2e7 else 5)


def fused(M, N, pit):
    for dt in (F32, F16, BF):
        shape(M, N, pit, dt, fused_c(M, N, pit), 3 if M > 2000 else 5)


def grid(N):
    for M in (1, 2, 4, 8, 16, 32, 64, 128, 512, 2048, 8192):
        if M * N > 1.4e8 or M * N < 4096:
            continue
        for dt in (F32, F16):
            if time.time() - T0 > LIMIT:
                return
            shape(
                M,
                N,
                N,
                dt,
                lambda x, y: [("two_kernel %d" % c, lambda c=c: kits["two_kernel"](x, y, N, c)) for c in (1024, 4096)]
                + [(n, lambda g=kits[n]: g(x, y, N, 4096)) for n in ("cluster", "auto", "wide_loads")],
                2,
                False,
                "grid",
                3,
            )


def child(limit, f, *a):
    sys.stdout.flush()
    rec.flush()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            setup()
            f(*a)
            code = 0
        except BaseException as e:
            print("FAILED", f.__name__, a, repr(e)[:300])
        finally:
            sys.stdout.flush()
            rec.flush()
            os._exit(code)
    end = time.time() + limit
    while time.time() < end:
        p, status = os.waitpid(pid, os.WNOHANG)
        if p:
            print(f.__name__, a, "status", status, "at %.1f s" % (time.time() - T0))
            return
        time.sleep(0.02)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    print(f.__name__, a, "KILLED at %.1f s" % (time.time() - T0))


print("start %.1f s" % (time.time() - T0), torch.__version__, triton and triton.__version__)
for M, N in ((4, 32769), (1, 131072), (64, 131072), (512, 131072), (4096, 8192)):
    child(25, wide, M, N)
for M, N, pit in ((1823, 256, 256), (1823, 512, 512), (1823, 781, 784), (1823, 1024, 1024), (32768, 1024, 1024)):
    child(20, fused, M, N, pit)
child(40, right, "fused")
child(60, right, "split")
for N in (1024, 4096, 8192, 16384, 32768, 32769, 65536, 131072):
    child(25, grid, N)
print("end %.1f s" % (time.time() - T0))
