"""What the peer and the load generator need from npm, in a folder that is thrown away."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from bench.server.processes import Failed

VERSIONS = {"boardgame.io": "0.50.2", "ws": "8.22.2"}
PACKAGES = {
    "private": True,
    # 4.2.0 copies the list of middleware, and boardgame.io adds its routes after that.
    "overrides": {"koa-compose": "4.1.0"},
}


def install(folder: Path, *names: str) -> None:
    """Install them, or only those named; none of their scripts is run."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise Failed(f"{program} is missing: the load generator needs it")
    wanted = {name: VERSIONS[name] for name in names or VERSIONS}
    (folder / "package.json").write_text(json.dumps({**PACKAGES, "dependencies": wanted}))
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise Failed(f"npm could not install {', '.join(wanted)}:\n{done.stderr[-2000:]}")


def sync_ms(folder: Path) -> float:
    """How long a disk takes here to keep 4 kB for good: the least that a durable move takes."""
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(50):
            file.write(bytes(4096))
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000
