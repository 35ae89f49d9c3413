"""Medians of a record: python3 medians.py choices.jsonl [ROWSxCOLS] [WHAT...], with a cold one after the slash.
python3 medians.py RECORD regret: what `auto` loses against the better of cluster and two_kernel, shape by shape."""
import json, statistics, sys

def medians(path):
    shapes = {}
    for line in open(path):
        record = json.loads(line)
        if record.get("warm_us"):
            key = (record["rows"], record["cols"], record["type"])
            cold = record["cold_us"]
            shapes.setdefault(key, {})[record["what"]] = (
                statistics.median(record["warm_us"]), statistics.median(cold) if cold else float("nan"))
    return shapes

def regret(shapes):
    lost = []
    for shape, times in sorted(shapes.items()):
        others = {what: time[0] for what, time in times.items() if what.startswith(("cluster", "two_kernel"))}
        if "auto" in times and others:
            best = min(others, key=others.get)
            lost.append(times["auto"][0] / others[best] - 1)
            print("%6d x %6d %-8s auto %8.2f  best %8.2f  %+5.1f %%  %s" % (*shape, times["auto"][0], others[best], 100 * lost[-1], best))
    if lost:
        print("%d shapes: median %.1f %%, worst %.1f %%" % (len(lost), 100 * statistics.median(lost), 100 * max(lost)))

shapes = medians(sys.argv[1])
if sys.argv[2:] == ["regret"]:
    regret(shapes)
else:
    for shape, times in sorted(shapes.items()):
        if len(sys.argv) > 2 and "%dx%d" % shape[:2] != sys.argv[2]:
            continue
        print("%d x %d %s" % shape)
        for what, time in sorted(times.items(), key=lambda item: item[1]):
            if len(sys.argv) < 4 or what.startswith(tuple(sys.argv[3:])):
                print("  %8.2f / %8.2f  %s" % (*time, what))
