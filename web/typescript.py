"""The server's types as TypeScript's: what msgspec knows of a type, written down once by its name.

What is sent has all its fields, except those that may be UNSET. What is asked for may leave out
every field that has a default.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from inspect import getdoc
from typing import Any

import msgspec.inspect as mi

from five211.server import frames, shapes

UNIONS = {"step": "Step", "event": "GameEvent", "type": "ClientMessage"}  # by what tells them apart
NAMES = {"StandingShape": "GameStanding"}  # Standing is a colour's
PLAIN = {
    mi.StrType: "string",
    mi.IntType: "number",
    mi.FloatType: "number",
    mi.BoolType: "boolean",
    mi.NoneType: "null",
}
# The server sends these as they are stored, so that their own classes do not say what is in them.
STORED: dict[tuple[type, str], Any] = {
    (shapes.Door, "table"): frames.Summary,
    (shapes.Tables, "tables"): list[frames.Summary],
}


class Declarations:
    """Types in the order in which they are needed, each declared once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: dict[str, object] = {}

    def add(self, types: Iterable[Any], asked: bool = False) -> None:
        """Declare types and all that they need; `asked` if a client sends them."""
        for one in mi.multi_type_info(types):
            self._type(one, asked)

    def _type(self, kind: mi.Type, asked: bool) -> str:
        if type(kind) in PLAIN:
            return PLAIN[type(kind)]
        if isinstance(kind, mi.Metadata):
            return self._type(kind.type, asked)
        if isinstance(kind, mi.CustomType):
            return str(kind.cls.__name__)  # Card
        if isinstance(kind, mi.ListType | mi.VarTupleType):
            item = self._type(kind.item_type, asked)
            return "Cards" if item == "Card" else f"({item})[]" if " | " in item else f"{item}[]"
        if isinstance(kind, mi.DictType):
            inside = f"{self._type(kind.key_type, asked)}, {self._type(kind.value_type, asked)}"
            return f"Partial<Record<{inside}>>"
        if isinstance(kind, mi.LiteralType):
            return " | ".join(json.dumps(value) for value in kind.values)
        if isinstance(kind, mi.UnionType):
            return self._union(kind, asked)
        if isinstance(kind, mi.EnumType):
            return self._enum(kind.cls)
        assert isinstance(kind, mi.StructType | mi.DataclassType), kind
        return self._interface(kind, asked)

    def _union(self, kind: mi.UnionType, asked: bool) -> str:
        structs = [one for one in kind.types if isinstance(one, mi.StructType) and one.tag]
        if not structs:
            return " | ".join(self._type(one, asked) for one in kind.types)
        name = UNIONS[str(structs[0].tag_field)]
        if self._is_new(name, kind):
            said = [self._tagged(one, asked) for one in structs]
            self.lines.append(f"export type {name} =\n  | " + "\n  | ".join(said) + ";\n")
        return name

    def _tagged(self, one: mi.StructType, asked: bool) -> str:
        own = self._fields(one, asked)
        own.sort(key=lambda field: field.startswith(("id?", "text?")))  # what all have comes last
        return "{ " + "; ".join([f"{one.tag_field}: {json.dumps(one.tag)}", *own]) + " }"

    def _enum(self, cls: type[Any]) -> str:
        if self._is_new(cls.__name__, cls):
            said = " | ".join(json.dumps(str(one)) for one in cls)
            self.lines.append(f"/** {getdoc(cls)} */\nexport type {cls.__name__} = {said};\n")
        return cls.__name__

    def _interface(self, kind: mi.StructType | mi.DataclassType, asked: bool) -> str:
        if kind.cls is frames.Parts:
            self.add([frames.View])
            return "Partial<View>"
        name = NAMES.get(kind.cls.__name__, kind.cls.__name__.removesuffix("Shape"))
        if self._is_new(name, kind.cls):
            fields = "".join(f"  {field};\n" for field in self._fields(kind, asked))
            doc = " ".join(str(getdoc(kind.cls)).split())
            self.lines.append(f"/** {doc} */\nexport interface {name} {{\n{fields}}}\n")
        return name

    def _fields(self, kind: mi.StructType | mi.DataclassType, asked: bool) -> list[str]:
        said = []
        for field in kind.fields:
            unset = field.default is field.default_factory  # no default: it may be missing
            mark = "?" if not field.required and (asked or unset) else ""
            stored = STORED.get((kind.cls, field.name))
            shape = field.type if stored is None else mi.type_info(stored)
            said.append(f"{field.encode_name}{mark}: {self._type(shape, asked)}")
        return said

    def _is_new(self, name: str, kind: object) -> bool:
        """Whether a name is to be declared; two types must not share one."""
        if name not in self._known:
            self._known[name] = kind
            return True
        if self._known[name] != kind:
            raise ValueError(f"two types are called {name}")
        return False
