"""The tables of docs/optimizing.md that are of variants.jsonl and variants-profile.txt: python3 tables.py"""
import os, re
from medians import medians

HERE = os.path.dirname(os.path.abspath(__file__))
SHAPES = medians(os.path.join(HERE, "variants.jsonl"))
TYPES = ("float32", "float16")
WIDE = ((4, 32769), (1, 131072), (64, 131072), (512, 131072), (4096, 8192))
ROWS = ((1823, 256), (1823, 512), (1823, 781), (1823, 1024), (32768, 1024))
PEERS = ("torch", "triton", "tutorial")

# The targets: microseconds (those of published kernels in another run on an H200), or "times the copy".
TARGETS = {
    (4, 32769): (3.3, 3.2), (1, 131072): (3.4, 3.2), (64, 131072): ("1.05 x", 9.82), (512, 131072): ("1.04 x", 67.5),
    (4096, 8192): ("1.04 x", 34.8), (1823, 781): (3.4, 2.8), (1823, 256): (2.16, 2.00), (1823, 512): (2.69, 2.20),
    (1823, 1024): (3.81, 2.84), (32768, 1024): ("1.01 x", "1.01 x"),
}


def best(times, starts, cold=0):
    """The quickest of what begins so: (what, time)."""
    names = [what for what in times if what.startswith(starts)]
    what = min(names, key=lambda name: times[name][cold])
    return what, times[what][cold]


def pair(shape, starts, cold=0):
    return " / ".join("%.2f" % best(SHAPES[shape + (kind,)], starts, cold)[1] for kind in TYPES)


def table(title, shapes, columns, cold=0):
    print("\n%s\n" % title)
    print("| rows x cols | " + " | ".join(head for head, _ in columns) + " |\n| --- |" + " --- |" * len(columns))
    for shape in shapes:
        print("| %d x %d | " % shape + " | ".join(pair(shape, starts, cold) for _, starts in columns) + " |")


SPLIT = (("copy", "copy"), ("torch", "torch"), ("Triton, best", "triton"), ("plain, 1024", "plain"),
         ("wide_loads, 1024", "wide_loads 1024"), ("wide_loads, 4096", "wide_loads 4096"),
         ("two_kernel, 1024", "two_kernel 1024"), ("two_kernel, 4096", "two_kernel 4096"), ("cluster", "cluster"), ("auto, 4096", "auto"),
         ("parametrised", "lab"))
FUSED = (("copy", "copy"), ("torch", "torch"), ("Triton, best", "tutorial"), ("plain, best", "one_warp"),
         ("two_warps: R=1", "two_warps r1"), ("2", "two_warps r2"), ("4", "two_warps r4"), ("8", "two_warps r8"), ("parametrised, 4", "lab"))
OURS = ("plain", "wide_loads", "two_kernel", "cluster", "auto", "one_warp", "two_warps")


def targets():
    print("\nTARGETS\n\n| shape | type | target | quickest variant | copy | met? | cold: variant, best peer |\n" + "| --- " * 7 + "|")
    for shape, wanted in TARGETS.items():
        for kind, target in zip(TYPES, wanted):
            times = SHAPES[shape + (kind,)]
            what, time = best(times, OURS)
            ratio = time / times["copy"][0]
            reached, limit = (ratio, float(target[:-2])) if isinstance(target, str) else (time, target)
            over = round(100 * (reached / limit - 1), 1)
            met = "yes" if round(reached, 2) <= limit else "%.1f %% over" % over
            cold, peer = best(times, OURS, 1), best(times, PEERS, 1)
            verdict = "" if cold[1] <= peer[1] else ", %.0f %% behind" % (100 * (cold[1] / peer[1] - 1))
            print("| %d x %d | %s | %s | %s: %.2f | %.2f x | %s | %.2f, %.2f%s |" % (
                *shape, "FP32" if kind == "float32" else "FP16", target if isinstance(target, str) else "%.2f" % target,
                what.replace(" r", ", R="), time, ratio, met, cold[1], peer[1], verdict))


    slower = [100 * (SHAPES[shape + ("bfloat16",)][what][0] / SHAPES[shape + ("float16",)][what][0] - 1)
              for shape in WIDE + ROWS for what in SHAPES[shape + ("bfloat16",)] if what.startswith(OURS)]
    print("BF16 / FP16, variants: %+.1f to %+.1f %%" % (min(slower), max(slower)))


def profile():
    print("\nPROFILE\n\n| kernel, grid | us | DRAM % | L2 % | SM % | registers | warps, most / reached % | waiting for loads % |\n" + "| --- " * 8 + "|")
    wanted = {"Duration": 1, "DRAM Throughput": 1, "L2 Cache Throughput": 1, "Compute (SM) Throughput": 1,
              "Registers Per Thread": 1, "Theoretical Occupancy": 1, "Achieved Occupancy": 1}
    kernels, current = [], None
    for line in open(os.path.join(HERE, "variants-profile.txt")):
        head = re.match(r"  (?:void )?(\w+)<([^>]*)>\(.*?\) \((\d+), 1, 1\)x", line)
        if head:
            current = {"name": "%s<%s>, %s" % head.groups(), "loads": "-"}
            kernels.append(current)
        for name in wanted:
            if current is not None and re.match(r" +%s  " % re.escape(name), line):
                current[name] = line.split()[-1]
        stall = re.search(r"This stall type represents about ([\d.]+)%", line)
        if stall and current is not None:
            current["loads"] = stall.group(1)
    for k in kernels:
        print("| %s | %s | %s | %s | %s | %s | %s / %s | %s |" % (
            k["name"], k["Duration"], k["DRAM Throughput"], k["L2 Cache Throughput"], k["Compute (SM) Throughput"],
            k["Registers Per Thread"], k["Theoretical Occupancy"], k["Achieved Occupancy"], k["loads"]))
    single, half = ([float(k["L2 Cache Throughput"]) * float(k["Duration"]) / size for k in kernels if k["name"] == name][0]
                    for name, size in (("row_in_a_cluster<float, 8, 0>, 8192", 4), ("row_in_a_cluster<__half, 8, 0>, 8192", 2)))
    print("\nL2's work for a byte, 512 x 131072, FP16 / FP32: %+.1f %%" % (100 * (half / single - 1)))


def ratios():
    """What the words of the page say by how much: the first what's time by the second's."""
    print("\nRATIOS\n")
    for first, second in (("cluster", "lab"), ("cluster", "auto"), ("wide_loads 256", "wide_loads 4096"), ("two_warps r4", "lab r4")):
        for shape in WIDE + ROWS:
            times = [SHAPES[shape + (kind,)] for kind in TYPES]
            if first in times[0] and second in times[0]:
                print("%s / %s, %d x %d: " % (first, second, *shape)
                      + ", ".join("%+.1f %%" % (100 * (t[first][0] / t[second][0] - 1)) for t in times))


table("FUSED, warm", ROWS, FUSED)
table("FUSED, cold", ROWS, FUSED, 1)
table("SPLIT, warm", WIDE, SPLIT)
table("SPLIT, cold", WIDE, SPLIT, 1)
targets()
ratios()
profile()
