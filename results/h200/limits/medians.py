"""Medians of a record: python3 medians.py RECORD [ROWSxCOLS] [WHAT...], with a cold one after the slash.
python3 medians.py RECORD regret: what `auto` loses against the quicker of cluster and two_kernel of the same chunk, over the
grid: as it was when it was measured, and by the rule as it stands in solutions/, for each chunk that two_kernel was measured with."""
import ctypes, json, os, statistics, subprocess, sys, tempfile

AUTO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../solutions/split_softmax/auto")


def medians(path, grid=False):
    """{(rows, cols, type): {what: (warm, cold)}}, of the grid's samples or of all others."""
    shapes = {}
    for line in open(path):
        record = json.loads(line)
        if record.get("warm_us") and (record.get("run") == "grid") == grid:
            key = (record["rows"], record["cols"], record["type"])
            cold = record["cold_us"]
            shapes.setdefault(key, {})[record["what"]] = (
                statistics.median(record["warm_us"]), statistics.median(cold) if cold else float("nan"))
    return shapes


def rule():
    """clusters_are_quicker of choice.h, compiled."""
    with tempfile.TemporaryDirectory() as folder:
        code = os.path.join(folder, "rule.c")
        with open(code, "w") as file:
            file.write('#include "choice.h"\nint rule(int64_t rows, int64_t cols, size_t bytes, int chunk) '
                       "{ return clusters_are_quicker(rows, cols, bytes, chunk); }\n")
        library = os.path.join(folder, "rule.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-I", AUTO, code, "-o", library], check=True)
        function = ctypes.CDLL(library).rule
    function.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_size_t, ctypes.c_int]
    return function


def show(title, lost):
    """lost: (share, shape, what was taken, its time, what is quicker, its time)."""
    shares = [entry[0] for entry in lost]
    print("%s: %d shapes, median %.1f %%, mean %.1f %%, above 5 %%: %d, worst %.1f %%" % (
        title, len(lost), 100 * statistics.median(shares), 100 * statistics.mean(shares),
        sum(share > 0.05 for share in shares), 100 * max(shares)))
    for share, shape, taken, time, best, least in sorted(lost, reverse=True):
        if share > 0.02:
            print("  %5.1f %%  %d x %d %s: %s %.2f, %s %.2f" % (100 * share, *shape, taken, time, best, least))


def regret(shapes):
    quicker = rule()
    for chunk in (1024, 4096):
        lost, before = [], []
        for shape, times in shapes.items():
            two_kernel = "two_kernel %d" % chunk
            if two_kernel not in times:
                continue
            best = min(("cluster", two_kernel), key=lambda what: times[what][0])
            taken = "cluster" if quicker(shape[0], shape[1], 4 if shape[2] == "float32" else 2, chunk) else two_kernel
            lost.append((times[taken][0] / times[best][0] - 1, shape, taken, times[taken][0], best, times[best][0]))
            before.append((times["auto"][0] / times[best][0] - 1, shape, "auto", times["auto"][0], best, times[best][0]))
        if chunk == 4096:
            show("auto as measured, chunk %d" % chunk, before)
        show("the rule as it stands, chunk %d" % chunk, lost)


if __name__ == "__main__":
    if sys.argv[2:] == ["regret"]:
        regret(medians(sys.argv[1], grid=True))
        sys.exit()
    for shape, times in sorted(medians(sys.argv[1]).items()):
        if len(sys.argv) > 2 and "%dx%d" % shape[:2] != sys.argv[2]:
            continue
        print("%d x %d %s" % shape)
        for what, time in sorted(times.items(), key=lambda item: item[1]):
            if len(sys.argv) < 4 or what.startswith(tuple(sys.argv[3:])):
                print("  %8.2f / %8.2f  %s" % (*time, what))
