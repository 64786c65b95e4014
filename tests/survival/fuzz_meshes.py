#!/usr/bin/env python3
"""Gives the program damaged meshes, made of those of tests/fuzz/corpus, and holds it to what it promises about them: exit
code 0, or 2 with one sentence that names the file; soon, with little memory, and nothing written.

    fuzz_meshes.py PROGRAM CORPUS FOLDER [--count 10] [--seed 1] [--jobs 2] [--formats obj,vtk] [--sanitized]

COUNT files of each format. What is done to file INDEX depends on the seed and the index alone. Files that show a mistake
are kept in FOLDER/failures.
"""
import argparse
import concurrent.futures
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

FORMATS = ["obj", "off", "ply", "stl", "gltf", "glb", "msh", "vtk"]
MEMORY, PATIENCE = 3 << 30, 30  # bytes with all libraries; s, on a machine that does much else
NUMBERS = [b"0", b"-1", b"3", b"255", b"65536", b"2147483647", b"-2147483648", b"4294967296", b"18446744073709551615",
           b"9" * 23, b"1e308", b"1e999", b"nan", b"inf", b"0.5", b"", b"700000000", b"null"]


def damage(data, chance):
    for _ in range(chance.choice([1, 1, 2, 3, 4])):
        at, length = chance.randrange(len(data) + 1), 1 << chance.randrange(8)
        kind = chance.randrange(8)
        if kind == 0 and data:
            at = chance.randrange(len(data))
            data = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1:]
        elif kind == 1:
            data = data[:at] + data[at + length:]
        elif kind == 2:
            data = data[:at] + data[at:at + length] + data[at:]
        elif kind == 3:
            data = data[:at]
        elif kind == 4:
            data = data[:at] + chance.randbytes(length) + data[at:]
        elif kind == 5:
            word = chance.choice([b"\0", b"\xff", b"\x7f"]) * chance.choice([1, 4, 8])
            data = data[:at] + word + data[at + len(word):]
        else:
            numbers = list(re.finditer(rb"[-+]?\d[\d.]*", data[:4000]))
            if numbers:
                match = chance.choice(numbers)
                data = data[:match.start()] + chance.choice(NUMBERS) + data[match.end():]
    return data


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def judge(program, folder, name, sanitized):
    """What is wrong, or nothing; and the exit code."""
    try:
        done = subprocess.run([program, "inspect", name], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE,
                              preexec_fn=None if sanitized else limit)  # sanitizers reserve more than any limit
    except subprocess.TimeoutExpired:
        return "hangs", None
    text = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 2):
        return f"exit code {done.returncode}: {text.strip()[:200]}", done.returncode
    if done.returncode == 0:
        return ("says more than nothing: " + text[:200] if text else None), 0
    if not text.startswith("shoal: ") or text.count("\n") != 1 or not text.endswith("\n") or len(text) > 2000:
        return f"not one sentence: {text[:300]!r}", 2
    if name not in text:
        return f"the file is not named: {text.strip()[:200]!r}", 2
    if re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ufffd]", text):
        return f"control characters: {text[:200]!r}", 2
    return None, 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--sanitized", action="store_true")
    arguments = parser.parse_args()
    program, folder = os.path.abspath(arguments.program), arguments.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "failures").mkdir(parents=True)

    def try_one(form, seeds, index):
        chance = random.Random(f"{arguments.seed} {form} {index}")
        work = folder / f"{form}-{index}"
        work.mkdir()
        name = f"damaged.{form}"
        (work / name).write_bytes(damage(chance.choice(seeds).read_bytes(), chance))
        wrong, code = judge(program, work, name, arguments.sanitized)
        if not wrong and sorted(os.listdir(work)) != [name]:
            wrong = f"leaves {sorted(os.listdir(work))}"
        if wrong:
            shutil.copy(work / name, folder / "failures" / f"{arguments.seed}-{index}.{form}")
        shutil.rmtree(work)
        return index, wrong, code

    failures = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for form in arguments.formats.split(","):
            seeds = sorted(path for path in (arguments.corpus / form).iterdir() if not re.fullmatch("[0-9a-f]{40}", path.name))
            codes = {}
            for index, wrong, code in pool.map(lambda index: try_one(form, seeds, index), range(arguments.count)):
                codes[code] = codes.get(code, 0) + 1
                if wrong:
                    failures += 1
                    print(f"{form} {index}: {wrong}", flush=True)
            print(f"{form}: {arguments.count} files, {codes.get(0, 0)} read, {codes.get(2, 0)} refused", flush=True)
    sys.exit(1 if failures else 0)


main()
