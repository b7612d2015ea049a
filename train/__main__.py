"""`python -m train --players 2 --out build/train/two`: trains, and says how it goes."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from train.learn import Plan, learn


def main() -> None:
    """One run."""
    parser = argparse.ArgumentParser(prog="python -m train", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/train/two"))
    for field in fields(Plan):
        kind = str if field.name == "players" else type(field.default)
        parser.add_argument(f"--{field.name}", type=kind)
    given = {name: value for name, value in vars(parser.parse_args()).items() if value is not None}
    out = given.pop("out")
    if "players" in given:
        given["players"] = tuple(map(int, given["players"].split(",")))
    learn(Plan(**given), out)


if __name__ == "__main__":
    main()
