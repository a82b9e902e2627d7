"""python -m js.records: the records of the page's JSON and of the server's API, for TypeScript.

The JavaScript is checked against the Python classes, so that a field which is renamed on one side
only is an error. `js/records.d.ts` is generated from them; a test keeps it up to date.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
from msgspec.inspect import (
    BoolType,
    CustomType,
    DictType,
    FloatType,
    IntType,
    ListType,
    LiteralType,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from touchline.generation import findings
from touchline.report import data, moments, why
from touchline.web import records

OUT = Path(__file__).parent / "records.d.ts"
HEAD = "// Generated from the Python records by `python -m js.records`; not edited by hand.\n"


def structs(*modules: ModuleType) -> list[type[msgspec.Struct]]:
    """The records that modules define, in their order."""
    found = (
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    )
    return [one for one in found if issubclass(one, msgspec.Struct) and one.__struct_fields__]


def typed(kind: Type) -> str:
    """A Python type as TypeScript writes it."""
    match kind:
        case StructType():
            return kind.cls.__name__
        case IntType() | FloatType():
            return "number"
        case StrType():
            return "string"
        case BoolType():
            return "boolean"
        case NoneType():
            return "null"
        case LiteralType(values=values):
            return " | ".join(f'"{value}"' for value in values)
        case UnionType(types=types):
            return " | ".join(dict.fromkeys(map(typed, types)))
        case ListType(item_type=item) | VarTupleType(item_type=item):
            return f"Array<{typed(item)}>"
        case TupleType(item_types=items):
            return f"[{', '.join(map(typed, items))}]"
        case DictType(value_type=value):
            return f"Record<string, {typed(value)}>"
        case CustomType() | _:
            return "any"


def declared(record: type[msgspec.Struct]) -> str:
    """The interface of a record; what JSON leaves out when it has its default is optional."""
    info: Any = type_info(record)
    if info.array_like:
        return f"  type {record.__name__} = [{', '.join(typed(f.type) for f in info.fields)}];\n"
    leaves_out = record.__struct_config__.omit_defaults
    fields = (
        f"    {field.encode_name}{'?' if leaves_out and not field.required else ''}: "
        f"{typed(field.type)};\n"
        for field in info.fields
    )
    return f"  interface {record.__name__} {{\n{''.join(fields)}  }}\n"


def generated() -> str:
    """The declarations: `Data` for the page's JSON, `Api` for the server's."""
    spaces = {"Data": structs(why, moments, data), "Api": structs(findings, records)}
    return HEAD + "".join(
        f"\ndeclare namespace {name} {{\n{''.join(map(declared, found))}}}\n"
        for name, found in spaces.items()
    )


if __name__ == "__main__":
    OUT.write_text(generated(), encoding="utf-8")
