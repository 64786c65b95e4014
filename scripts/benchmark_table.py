"""A Markdown table from the JSON that Google Benchmark writes.

    /usr/bin/python3 scripts/benchmark_table.py results/benchmarks/benchmarks.json
"""

import json
import sys

COUNTERS = ["ratio", "Mtri/s", "Mcells/s", "times", "solver_iterations", "factorizations"]
MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}


def number(value):
    return "" if value is None else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        benchmarks = json.load(file)["benchmarks"]
    print("Ratio: to the limit that the head of `tests/benchmark/*.cpp` names, above 1 is faster. Solver iterations")
    print("and factorizations: per solve or frame.\n")
    print("| benchmark | ms | " + " | ".join(COUNTERS).replace("_", " ") + " |")
    print("| --- | --: |" + " --: |" * len(COUNTERS))
    for benchmark in benchmarks:
        name = benchmark["name"].removesuffix("/manual_time")
        time = benchmark["real_time"] * MILLISECONDS[benchmark["time_unit"]]
        print(f"| {name} | " + " | ".join(number(value) for value in [time, *map(benchmark.get, COUNTERS)]) + " |")


main()
