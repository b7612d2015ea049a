"""Machine code: compiled by Numba on first use, kept on disk, loaded without Numba from then on.

Numba takes half a second to import and seconds to compile; the object file that comes out of it
needs neither. It is kept in the user's cache folder (`FIVE211_CACHE` names another), under a stamp
of everything that it was made from. A folder that cannot be written, or a file that is damaged,
only costs the time to compile again. Nothing is compiled when a module is imported.
"""

from __future__ import annotations

import ctypes
import gc
import hashlib
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from five211.bots.network import FILE
from five211.errors import GameError
from five211.folders import folder_of

Listener = Callable[[str], None]

ENTRY = "five211_entry"
DIGEST = hashlib.sha256().digest_size
SOURCE = Path(__file__).parent / "source"
STAMPED = (SOURCE, SOURCE.parent, SOURCE.parents[1], SOURCE.parents[1] / "bots")
TYPES = {
    "u8": np.uint8,
    "i16": np.int16,
    "u16": np.uint16,
    "u64": np.uint64,
    "i64": np.int64,
    "f32": np.float32,
}
OF_NUMBA = re.compile(r"^declare (.*@(?:numba|Py|NRT)_?\w*\(.*)$", re.MULTILINE)
OF_PYTHON = re.compile(r"^(@PyExc_\w+ =) external global i8$", re.MULTILINE)
TRAP = r"define internal \1 {\n  call void @llvm.trap()\n  unreachable\n}"

_lock = Lock()
_listeners: list[Listener] = []
_engines: list[Any] = []  # what was loaded must not be collected
_loaded: dict[Path, int] = {}


class Kernel:
    """A compiled function: takes numbers and arrays of the types that it was declared with."""

    def __init__(self, name: str, takes: str, address: int) -> None:
        self.name = name
        self.takes = [TYPES.get(word.rstrip("*")) for word in takes.split()]
        self._pointers = ["*" in word for word in takes.split()]
        kinds = [ctypes.c_void_p if pointer else ctypes.c_uint64 for pointer in self._pointers]
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(address)

    def __call__(self, *values: Any) -> int:
        """Run it, without Python's lock."""
        given: list[Any] = []
        for value, kind, pointer in zip(values, self.takes, self._pointers, strict=True):
            if pointer:
                assert value.dtype == kind, self.name
                assert value.flags.c_contiguous, self.name
                given.append(value.ctypes.data)
            else:
                given.append(int(value))
        return int(self._call(*given))


def tell(listener: Listener) -> None:
    """Have somebody told, before it begins, what is about to be compiled."""
    _listeners.append(listener)


def folder() -> Path:
    """Where machine code is kept."""
    own = os.environ.get("FIVE211_CACHE")
    return Path(own) if own else folder_of("CACHE", ".cache")


@cache
def stamp() -> str:
    """What machine code depends on: the sources, those who compile them, and the processor."""
    made_by = [version("numba"), version("llvmlite"), sys.implementation.cache_tag]
    made_by.append(os.environ.get("NUMBA_BOUNDSCHECK", ""))
    runs_on = [platform.machine(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()]
    digest = hashlib.sha256(" ".join(map(str, made_by + runs_on)).encode())
    for place in STAMPED:
        for file in sorted(place.glob("*.py")):
            digest.update(file.name.encode() + file.read_bytes())
    digest.update(FILE.read_bytes())
    return digest.hexdigest()[:16]


@cache
def kernel(module: str, takes: str, *variant: int) -> Kernel:
    """A kernel by the module of `source` that makes it, specialised for these numbers."""
    name = "_".join(map(str, (module, *variant)))
    return Kernel(name, takes, address(name, lambda: _make(module, takes, variant)))


def address(name: str, make: Callable[[], Any]) -> int:
    """Where a compiled function is in memory, loaded from disk or made."""
    with _lock:
        path = _place() / stamp() / f"{name}.o"
        if path not in _loaded:
            _loaded[path] = _load(_read(path) or _compile(name, path, make))
        return _loaded[path]


def _place() -> Path:
    """Where to look for code; nowhere, if the person has no folder for it."""
    try:
        return folder()
    except GameError:
        return Path(os.devnull)


def _compile(name: str, path: Path, make: Callable[[], Any]) -> bytes:
    """Compile a function, and keep it for next time."""
    for listener in _listeners:
        listener(name)
    with _no_collection():
        code = bytes(_machine().emit_object(_alone(make())))
    _write(path, code)
    return code


@contextmanager
def _no_collection() -> Iterator[None]:
    """Compiling makes a great many objects and leaves them: looking for garbage takes an eighth."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _read(path: Path) -> bytes | None:
    """The code in a file, if it is all there: half an object file would end the process."""
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    code = kept[DIGEST:]
    return code if hashlib.sha256(code).digest() == kept[:DIGEST] else None


def _write(path: Path, code: bytes) -> None:
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_bytes(hashlib.sha256(code).digest() + code)
        draft.replace(path)


def _make(module: str, takes: str, variant: tuple[int, ...]) -> str:
    """The kernel in LLVM's language, its entry by the name that `_load` looks for."""
    return str(import_module(f"five211.fast.source.{module}").make(takes, *variant))


def _alone(text: str) -> Any:
    """The entry and what it calls, and nothing that only a process with Numba in it could give.

    Nothing here raises or allocates, so what Numba wrote for that is never reached: it traps. Now
    that nothing else can call the parts, optimising them once more makes a sixth more of some.
    """
    text = OF_PYTHON.sub(r"\1 internal constant i8 0", OF_NUMBA.sub(TRAP, text))
    module = llvm.parse_assembly(text + "declare void @llvm.trap()\n")
    for function in module.functions:
        if not function.is_declaration and function.name != ENTRY:
            function.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(_machine(), options)
    builder.getModulePassManager().run(module, builder)
    named = (*module.functions, *module.global_variables)
    needs = [one.name for one in named if one.is_declaration and "llvm." not in one.name]
    assert not needs, needs  # a call to what is not there would end the process
    return module


def _machine() -> Any:
    """A new one each time: an engine owns the one that it is given."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        jit=True,
        codemodel="jitdefault",
    )


def _load(code: bytes) -> int:
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return int(engine.get_function_address(ENTRY))
