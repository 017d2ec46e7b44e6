#!/usr/bin/env python3
"""The type stubs of the module, __init__.pyi, from the lists of options and fields. The build writes them beside the module.
Usage: stubs.py FILE; PYTHONPATH names the folder of the built module."""
import sys
import textwrap
from pathlib import Path

from banyan import _banyan

TYPES = {"boolean": "bool", "integer": "int", "number": "float", "string": "str", "object": "Answer",
         "integer or string": "Union[int, str]"}
HEAD = '''\
# Made by tools/install/stubs.py from the lists of options and fields: do not edit.
from typing import Any, Callable, Literal, NamedTuple, Optional, Sequence, Union

import numpy
import numpy.typing

__version__: str

class InputError(ValueError): ...
class NotApplicable(RuntimeError): ...
class MissingPackage(ImportError, NotApplicable): ...

class Answer:
    def __init__(self, held: Any) -> None: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def to_pandas(self) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...

class Table(list[Answer]):
    def to_dicts(self) -> list[dict[str, Any]]: ...
    def to_pandas(self) -> Any: ...

class Fabric:
    def __init__(self, held: Any) -> None: ...
    @property
    def hosts(self) -> int: ...
    @property
    def rails(self) -> int: ...
    @property
    def nics(self) -> int: ...
    @property
    def switches(self) -> int: ...
    @property
    def links(self) -> int: ...
    @property
    def channels(self) -> int: ...
    @property
    def notation(self) -> str: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def faults(self) -> list[str]: ...
    @property
    def nic_places(self) -> list[tuple[int, int, Optional[int]]]: ...
    @property
    def channel_from(self) -> numpy.typing.NDArray[Any]: ...
    @property
    def channel_to(self) -> numpy.typing.NDArray[Any]: ...
    @property
    def channel_port(self) -> numpy.typing.NDArray[Any]: ...
    def describe(self, **options: Any) -> "DescribeAnswer": ...
    def distances(self) -> numpy.typing.NDArray[Any]: ...
    def without(self, *faults: str) -> "Fabric": ...
    def write(self, path: Any, format: str = "") -> None: ...
    def to_networkx(self) -> Any: ...

class Routing:
    def __init__(self, held: Any) -> None: ...
    @property
    def engine(self) -> str: ...
    @property
    def lanes(self) -> int: ...
    @property
    def fabric(self) -> Fabric: ...
    def tables(self) -> numpy.typing.NDArray[Any]: ...

class traffic:
    def __init__(self, function: Callable[..., Any], rounds: int = 1, random: bool = False, in_bytes: bool = False) -> None: ...

class Arrival(NamedTuple):
    tag: Any
    source: int
    destination: int
    bytes: int
    sent: float
    time: float

class Network:
    def __init__(self, routing: Routing, on_arrival: Optional[Callable[[Arrival], Any]] = None, NETWORK_OPTIONS) -> None: ...
    @property
    def now(self) -> float: ...
    @property
    def next(self) -> float: ...
    @property
    def under_way(self) -> int: ...
    def send(self, source: int, destination: int, bytes: int, tag: Any = None, weight: float = 1.0) -> None: ...
    def schedule(self, time: float, function: Callable[[], Any]) -> None: ...
    def stop(self) -> None: ...
    def advance(self, until: float = ...) -> list[Arrival]: ...

_Engine = Callable[[Fabric], Union[numpy.typing.ArrayLike, tuple[numpy.typing.ArrayLike, numpy.typing.ArrayLike]]]
_Traffic = Union[str, traffic, Callable[..., Any]]
_Progress = Union[None, bool, Callable[[str], Any]]

def fabric(text: Any, without: Union[str, Sequence[str]] = ()) -> Fabric: ...
def from_networkx(graph: Any) -> Fabric: ...
def study(file: Any, out: Any = None, *, threads: int = 0) -> Any: ...
def reproduce(paper: str, *, quick: bool = False, seed: int = 1, out: Any = None, threads: int = 0) -> dict[str, Any]: ...
def engines() -> list[dict[str, Any]]: ...
def patterns() -> list[dict[str, Any]]: ...
def topologies() -> list[dict[str, Any]]: ...
'''
# How a question begins in Python; what stands there is not repeated among its options.
FIRST = {
    "size": ("hosts: Optional[int] = None, *, family: Union[str, Sequence[str]] = ()", {"hosts", "family"}),
    "describe": ("fabric: Fabric, a: Any = None, b: Any = None, *, progress: _Progress = None", {"a", "b"}),
    "draw": ("fabric: Fabric, *", set()),
    "diff": ("plan: Fabric, observed: Fabric", set()),
    "tables": ("routing: Routing, *", set()),
    "assign": ("fabric: Fabric, traffic: Optional[_Traffic] = None, *, progress: _Progress = None", {"traffic"}),
    "check": ("routing: Optional[Routing] = None, *, program: Any = None, progress: _Progress = None", {"program"}),
    "path": ("routing: Routing, source: Any, destination: Any, *", {"source", "destination"}),
    "load": ("routing: Routing, traffic: Optional[_Traffic] = None, *, progress: _Progress = None", {"traffic"}),
    "rates": ("routing: Routing, traffic: Optional[_Traffic] = None, *, progress: _Progress = None", {"traffic"}),
    "order": ("routing: Routing, traffic: str, hosts: Union[None, str, Sequence[Any]] = None, *, progress: _Progress = None",
              {"traffic", "hosts"}),
    "time": ("routing: Routing, traffic: Optional[_Traffic] = None, *, progress: _Progress = None", {"traffic"}),
    "fail": ("fabric: Fabric, without: Union[str, Sequence[str]] = (), *, traffic: Optional[_Traffic] = None, progress: _Progress = None",
             {"traffic", "without"}),
    "simulate": ("routing: Routing, traffic: Optional[_Traffic] = None, *, progress: _Progress = None", {"traffic"}),
}


def field_type(info):
    if info["choices"] and info["type"] == "string":
        text = "Literal[" + ", ".join(f'"{c}"' for c in info["choices"]) + "]"
    elif info["type"] == "array":
        number = info["items"] in ("number", "integer")
        inner = "numpy.typing.NDArray[Any]" if number else "Table" if info["items"] == "object" else f"list[{TYPES[info['items']]}]"
        for _ in range(info["dimensions"] - 1):
            inner = f"list[{inner}]"
        text = inner
    else:
        text = TYPES[info["type"]]
    return f"Optional[{text}]" if info["may_be_null"] else text


def route():
    """Routing options besides the engine; those of an engine are its own."""
    options = [f"{o['name'].replace('-', '_')}: {option_type(o)} = ..." for o in _banyan.routing_options() if o["name"] != "engine"]
    return definition("route", ["fabric: Fabric", 'engine: Union[str, _Engine] = "auto"', "*", *options, "**of_the_engine: Any"],
                      "Routing")


def definition(name, arguments, gives):
    lines = textwrap.wrap(", ".join(arguments), 114, initial_indent="    ", subsequent_indent="    ", break_long_words=False,
                          break_on_hyphens=False)
    return "\n".join([f"def {name}(", *lines, f") -> {gives}: ..."])


def option_type(info):
    return {"boolean": "bool", "integer": "int", "number": "float"}.get(info["type"], "str")


def question(info):
    first, named = FIRST[info["name"]]
    seen, options = set(named), []
    for option in info["options"]:
        key = option["name"].replace("-", "_")
        if key not in seen:
            seen.add(key)
            options.append(f"{key}: {option_type(option)} = ...")
    if first.endswith("*") and not options:
        first = first.removesuffix(", *")
    return definition(info["name"], [first, *options], union_of(info["answers"]))


def union_of(names):
    return f"Union[{', '.join(names)}]" if len(names) > 1 else next(iter(names))


def stubs():
    options = ", ".join(["*", *(f"{o['name'].replace('-', '_')}: {option_type(o)} = ..." for o in _banyan.network_options())])
    lines, done = [HEAD.replace("NETWORK_OPTIONS", options)], set()
    asked = _banyan.questions()
    for info in asked:
        for name, fields in info["answers"].items():
            if name in done:
                continue
            done.add(name)
            lines.append(f"class {name}(Answer):")
            if any(field["name"] in ("yes", "deadlock_free") for field in fields):
                lines.append("    @property\n    def ok(self) -> bool: ...")
            for field in fields:
                lines.append(f"    @property\n    def {field['name']}(self) -> {field_type(field)}: ...")
            lines.append("")
    return "\n".join([*lines, route(), *(question(info) for info in asked)]) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(stubs(), encoding="utf-8")
