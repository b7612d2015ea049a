"""What hatchling does before it packs: the page is built, so that an install needs no Node."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Builds the page if its sources have changed; an sdist has it built already."""

    def dependencies(self) -> list[str]:
        """Node from PyPI, where it is needed and the machine has none."""
        builder = _builder(Path(self.root))
        idle = builder.fresh(Path(self.root)) or builder.find_node() is not None
        return [] if idle else [builder.NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build; but a checkout that is installed to be worked on has `make page`."""
        if version == "editable":
            return
        builder = _builder(Path(self.root))
        try:
            builder.build(Path(self.root))
        except builder.Unbuilt as why:
            raise SystemExit(f"five211: {why}") from None


def _builder(root: Path) -> Any:
    """web/build.py, which is in no package."""
    spec = spec_from_file_location("five211_web_build", root / "web" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
