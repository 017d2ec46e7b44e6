"""Banyan designs, routes, proves and simulates the networks of HPC and AI machines.

    import banyan as bn
    f = bn.fabric("4-ary 3-tree")
    r = bn.route(f, "dmodk")
    bn.check(r).ok
    bn.load(r, "permutation", samples=1000, seed=1).max_load
    bn.simulate(r, "uniform", load=0.4, cycles=20000, seed=1).accepted

A question has the name, the options and the numbers of the program's verb. An answer has its fields as attributes;
help(bn.load) and help(bn.LoadAnswer) list them. docs/python.md has the rest.
"""
from __future__ import annotations

import collections
import operator
import os
import sys

try:
    from . import _banyan
except ImportError as _error:
    if "_banyan" not in str(_error) or _error.name not in ("banyan", "banyan._banyan"):
        raise
    raise ImportError(
        f"the extension of banyan is not in {__path__[0]}: `ninja banyan_python` builds it, for the Python that CMake "
        f"found (this one is {sys.version_info.major}.{sys.version_info.minor})") from None
from ._banyan import InputError, NotApplicable

__version__ = _banyan.version
InputError.__doc__ = "What was given is wrong: the text says what was found and what was expected."
NotApplicable.__doc__ = "An engine or a question cannot do this: the text says why."
for _class in (InputError, NotApplicable):
    _class.__module__ = "banyan"


class MissingPackage(ImportError, NotApplicable):
    """This needs a package that is not installed: the text says which, and what for."""


def _need(package, what):
    """The package; it is imported by what needs it."""
    import importlib

    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:  # it is there, and lacks something itself
            raise
        raise MissingPackage(f"{what}: this needs {package}, which is not installed ('apt install python3-{package}', or "
                             f"'pip install {package}')", name=package) from None


# --- answers --------------------------------------------------------------------------------------------------------
class Answer:
    """An answer. Its fields are attributes; those that were not asked for are missing."""

    __slots__ = ("_held",)

    def __init__(self, held):
        self._held = held

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return _table(self._held.get(name))

    def __dir__(self):
        return [*super().__dir__(), *self._held.names()]

    def __repr__(self):
        shown = []
        for key, value in self.to_dict().items():
            if isinstance(value, (bool, int, float, str)):
                shown.append(f"{key}={value!r}")
            elif isinstance(value, list):
                shown.append(f"{key}=[{len(value)} of them]")
        return f"{type(self).__name__}({', '.join(shown)})"

    def __eq__(self, other):
        return type(self) is type(other) and self.to_dict() == other.to_dict()

    __hash__ = None

    def to_dict(self):
        """All fields, as the program prints them with --json: numbers, texts, lists, dictionaries; None: not known."""
        return self._held.to_dict()

    def to_json(self):
        """The same as a text."""
        return self._held.json()

    def to_pandas(self):
        """The numbers as a frame: a row for each field, with value and unit."""
        pandas = _need("pandas", "to_pandas()")
        units = {info["name"]: info["unit"] for info in self._held.fields()}
        rows = [(k, v, units.get(k, "")) for k, v in self.to_dict().items() if isinstance(v, (bool, int, float))]
        return pandas.DataFrame(rows, columns=["field", "value", "unit"]).set_index("field")


class Table(list):
    """Rows of an answer: a list of answers."""

    def to_dicts(self):
        return [row.to_dict() for row in self]

    def to_pandas(self):
        return _need("pandas", "to_pandas()").DataFrame(self.to_dicts())


def _table(value):
    return Table(value) if isinstance(value, list) and value and isinstance(value[0], Answer) else value


def _field(info):
    name = info["name"]
    unit = f", in {info['unit']}" if info["unit"] else ""
    return property(lambda self: _table(self._held.get(name)), doc=f"{info['meaning']}{unit} ({_type_text(info)})")


def _type_text(info):
    text = {"array": f"array of {info['items']}", "object": "answer"}.get(info["type"], info["type"])
    if info["type"] == "array" and info["items"] == "object":
        text = "table"
    if info["choices"]:
        text = " or ".join(info["choices"])
    return text + ("; None: not known" if info["may_be_null"] else "") + ("; if asked for" if info["is_optional"] else "")


def _class_of(name, infos):
    """The class of an answer, made from its list of fields."""
    lines = [f"    {info['name']}: {info['meaning']}" for info in infos]
    members = {"__slots__": (), "__module__": "banyan", "__doc__": "Its fields:\n\n" + "\n".join(lines)}
    for info in infos:
        members[info["name"]] = _field(info)
    verdict = next((key for key in ("yes", "deadlock_free") if key in members), None)  # of a routing, of a program
    if verdict:
        members["ok"] = property(lambda self: self._held.get(verdict), doc=f"the verdict: the same as {verdict}")
    return type(name, (Answer,), members)


_classes = {}


def _wrap(name, held):
    made = _classes.get(name)
    if made is None:
        made = _classes[name] = _class_of(name, held.fields())
    return made(held)


_banyan.set_wrap(_wrap)


# --- fabrics --------------------------------------------------------------------------------------------------------
class Fabric:
    """A fabric: hosts, switches and cables. It never changes."""

    __slots__ = ("_held",)

    def __init__(self, held):
        self._held = held

    hosts = property(lambda self: self._held.hosts, doc="number of hosts")
    rails = property(lambda self: self._held.rails, doc="number of rails, or else of slots; where all hosts are alike, NICs of each host")
    nics = property(lambda self: self._held.nics, doc="number of NICs; hosts times rails where all hosts are alike")
    switches = property(lambda self: self._held.switches, doc="number of switches")
    links = property(lambda self: self._held.links, doc="number of cables, those of hosts included")
    channels = property(lambda self: self._held.channels, doc="number of channels, those of empty ports included")
    notation = property(lambda self: self._held.notation, doc="canonical notation; empty for an irregular fabric")
    names = property(lambda self: self._held.names, doc="names of all nodes: NICs first, then switches")
    nic_places = property(lambda self: self._held.nic_places(), doc="by NIC: number of its host, its slot there, its rail or None")
    channel_from = property(lambda self: self._held.channel_from, doc="array by channel: the node that it leaves")
    channel_to = property(lambda self: self._held.channel_to, doc="array by channel: the node that it leads to; 2**32 - 1: the port is empty")
    channel_port = property(lambda self: self._held.channel_port, doc="array by channel: the port by which it leaves, from 0")

    faults = property(lambda self: self._held.faults, doc="what was taken away, as without() takes it")

    def __repr__(self):
        name = self.notation or self._held.text or "irregular"
        without = f" without {' and '.join(self.faults)}" if self.faults else ""
        return f"<Fabric {name}{without}: {self.hosts} hosts, {self.switches} switches>"

    def describe(self, **options):
        """What it is: bn.describe(self)."""
        return describe(self, **options)

    def distances(self):
        """Array by NIC and NIC: channels of a shortest path; -1: they cannot reach each other."""
        return self._held.distances()

    def without(self, *faults):
        """The same fabric with cables taken away: "links=3,seed=1", "link=s0-1:4", "switch=NAME"."""
        return Fabric(self._held.without([str(each) for each in faults]))

    def write(self, path, format=""):
        """Writes it to a file; the ending gives the format, unless it is named (docs/formats.md)."""
        self._held.write(str(path), format)

    def to_networkx(self):
        """A networkx.MultiGraph of names. Nodes have `kind` (host or switch) and `number`; where hosts have several NICs,
        these are nodes and have `host`, `slot` and, if they are on a rail, `rail`. Edges have `ports` (of both ends, by name), `capacity` and `latency`."""
        networkx = _need("networkx", "to_networkx()")
        held, names = self._held, self.names
        nics, hosts, places = held.nics, held.host_names, self.nic_places
        graph = networkx.MultiGraph(notation=self.notation)
        for number, name in enumerate(names):
            of_host = {}
            if number < nics and nics > len(hosts):
                host, slot, rail = places[number]
                of_host = {"host": hosts[host], "slot": slot} | ({} if rail is None else {"rail": rail})
            graph.add_node(name, kind="host" if number < nics else "switch", number=number, **of_host)
        for start, from_port, end, to_port, capacity, latency in held.cables():
            a, b = names[start], names[end]
            graph.add_edge(a, b, ports={a: from_port, b: to_port}, capacity=capacity, latency=latency)
        return graph


def fabric(text, without=()):
    """A fabric from a notation such as "4-ary 3-tree" ('banyan topologies' lists them), or from a file. `without`: faults,
    a text or a list of them."""
    if not isinstance(text, (str, os.PathLike)):
        raise InputError(f"a fabric is a notation or a file, not {text!r}")
    return Fabric(_banyan.open(os.fspath(text), _list(without)))


def from_networkx(graph):
    """A fabric from any networkx graph. A node is a host if its `kind` is "host"; where no node has a `kind`, the nodes
    with one edge are hosts. Where hosts have several NICs, these are the nodes, and have `host` (its name) and `rail`
    or `slot` (0, 1, ...), or both; a host need not have as many as the next. An edge may have `ports` (as to_networkx() gives them), `capacity` and `latency`. A shape is looked for
    in the cables."""
    if not hasattr(graph, "nodes") or not hasattr(graph, "edges"):
        raise InputError(f"expected a networkx graph, not {graph!r}")
    kinds = dict(graph.nodes(data="kind"))
    if not any(kinds.values()):
        kinds = {node: "host" if degree == 1 else "switch" for node, degree in graph.degree()}
    wrong = [node for node, kind in kinds.items() if kind not in ("host", "switch")]
    if wrong:
        raise InputError(f"node {wrong[0]!r}: its kind is {kinds[wrong[0]]!r}; expected host or switch")
    nics, hosts, rails = _nics([node for node in graph if kinds[node] == "host"], graph.nodes)
    switches = [node for node in graph if kinds[node] == "switch"]
    number = {node: i for i, node in enumerate([*nics, *switches])}
    cables = []
    for a, b, data in graph.edges(data=True):
        ports = data.get("ports") or {}
        cables.append((number[a], ports.get(a, -1), number[b], ports.get(b, -1),
                       float(data.get("capacity", 1)), float(data.get("latency", 1))))
    return Fabric(_banyan.from_cables(rails, [*hosts, *(str(node) for node in switches)], cables))


def _nics(nodes, data):
    """The nodes of hosts in order of their numbers (by slot, then by host), the names of hosts, and the rails of each
    host's NICs by slot."""
    if all(data[node].get("rail") is None and data[node].get("slot") is None for node in nodes):
        return nodes, [str(node) for node in nodes], [[0]] * len(nodes)
    of_host = {}
    for node in nodes:
        of_host.setdefault(str(data[node].get("host")), []).append(node)
    for host, own in of_host.items():
        by = "slot" if all(data[node].get("slot") is not None for node in own) else "rail"
        places = [data[node].get(by) for node in own]
        if None in places or len(set(places)) < len(own):
            raise InputError(f"the NICs of host {host}: expected each with a {by} of its own, not {places}")
        own.sort(key=lambda node, by=by: data[node][by])
    nics = [own[slot] for slot in range(max(map(len, of_host.values()))) for own in of_host.values() if slot < len(own)]
    return nics, list(of_host), [[data[node].get("rail") for node in own] for own in of_host.values()]


# --- routings -------------------------------------------------------------------------------------------------------
class Routing:
    """A fabric and its routing. It never changes."""

    __slots__ = ("_held",)

    def __init__(self, held):
        self._held = held

    engine = property(lambda self: self._held.engine, doc="the engine; where `auto` was given, the one that was chosen")
    lanes = property(lambda self: self._held.lanes, doc="lanes that it needs")
    fabric = property(lambda self: Fabric(self._held.fabric), doc="the fabric that it routes")

    def __repr__(self):
        return f"<Routing {self.engine} of {self.fabric!r}>"

    def tables(self):
        """Array by switch and address: the port that a packet takes, from 0; 255: none. Without a copy of tables that
        the routing has. NotApplicable where tables cannot hold it."""
        return self._held.tables()


def route(fabric, engine="auto", **options):
    """Routes a fabric by an engine such as "dmodk" or "disjoint:paths=4"; "auto" takes the best static one that applies.
    Besides these, options may be those of the engine, as bn.engines() lists them.

    An engine may be a function: it takes the fabric, and gives an array by switch and NIC with the port that a packet
    takes, from 0, 255 for none; or that and an array of lanes by sending and receiving NIC. It may raise NotApplicable."""
    _demand(fabric, Fabric, "route is asked of a fabric: bn.fabric(text)")
    if callable(engine):
        if options:
            raise InputError(f"an engine that is a function takes no options: {', '.join(options)}")
        made = engine(fabric)
        ports, lanes = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
        return Routing(_banyan.route_by_tables(
            fabric._held, getattr(engine, "__name__", "function"), _bytes(ports, "a port", 255),
            None if lanes is None else _bytes(lanes, "a lane", 15)))
    if engine != "auto" or "tables" not in options:
        options["engine"] = engine
    return Routing(_banyan.route(fabric._held, options))


def _demand(given, kind, otherwise):
    if not isinstance(given, kind):
        raise InputError(f"{otherwise}, not of {given!r}")


def _bytes(entries, what, last):
    """Refuses what is no table, and what does not fit one rather than cutting it to eight bits."""
    numpy = _need("numpy", "an engine that is a function")
    try:
        found = numpy.asarray(entries)
    except ValueError:  # rows of different lengths
        found = numpy.asarray(None)
    if found.dtype == object or not numpy.issubdtype(found.dtype, numpy.number):
        raise InputError(f"an engine gives an array of numbers by switch and NIC, or that and one of lanes, not {entries!r:.60}")
    if found.size and not (found.min() >= 0 and found.max() <= last and (found == found.astype(numpy.uint8)).all()):
        raise InputError(f"a table has {what} that is not in 0 to {last}" + (": 255 is for none" if last == 255 else ""))
    return found.astype(numpy.uint8, copy=False)


# --- traffic --------------------------------------------------------------------------------------------------------
class traffic:
    """A traffic pattern from a function: f(ranks), or f(ranks, round, sample, seed), gives rows (from, to) or
    (from, to, amount). It must give the same rows for the same arguments. `random`: samples differ. `in_bytes`: amounts
    are bytes, as of a collective. A plain function is a traffic of one round that is not random."""

    def __init__(self, function, rounds=1, random=False, in_bytes=False):
        if not callable(function):
            raise InputError(f"a traffic is made of a function, not of {function!r}; the names of others are texts")
        if not isinstance(rounds, int) or rounds < 1:
            raise InputError(f"rounds={rounds!r}: expected a number from 1 on")
        self.function, self.rounds, self.random, self.in_bytes = function, rounds, random, in_bytes

    def _made(self, held, ranks=0, placement="linear", seed=1):
        import inspect

        _need("numpy", "a traffic that is a function")  # before the call: Ctrl-C within it would break the first import
        function = self.function
        given = inspect.signature(function).parameters.values()
        wanted = sum(p.default is p.empty and p.kind is not p.VAR_KEYWORD for p in given)
        call = (lambda ranks, round, sample, seed: _rows(function(ranks))) if wanted == 1 else (
            lambda *given: _rows(function(*given)))
        return _banyan.Traffic(call, held, ranks, self.rounds, self.random, self.in_bytes, placement, seed)


def _rows(rows):
    import numpy

    expected = "a traffic gives rows (from, to) or (from, to, amount)"
    try:
        found = numpy.asarray(rows if hasattr(rows, "__array__") else list(rows), dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{expected}, not {rows!r:.60}") from None
    return found


# --- a network that is advanced by time -----------------------------------------------------------------------------
class Arrival(collections.namedtuple("Arrival", "tag source destination bytes sent time")):
    """A message that has arrived: what it was sent with, and when it was sent and arrived, in seconds."""

    __slots__ = ()


class Network:
    """Messages on a routed fabric, and a clock that you advance: for simulators that need a network. Messages are flows
    that share channels max-min fairly; rates change whenever one begins or ends. Times are in seconds, from 0.

        network = bn.Network(routing, link="400G", switch_delay="100ns")
        network.send(0, 5, 2**20, tag="gradients")
        for arrival in network.advance():          # until nothing is left; advance(1e-3): until then
            print(arrival.tag, arrival.time)

    `on_arrival` is called with each Arrival as it happens, and may send and schedule; advance() then gives an empty list.
    What such a function raises leaves advance() with the clock at that event, and the next call goes on behind it. While
    one thread advances it, others may not use it."""

    def __init__(self, routing, on_arrival=None, **options):
        _demand(routing, Routing, "a network is made of a routing: bn.route(fabric)")
        if on_arrival is not None and not callable(on_arrival):
            raise InputError(f"on_arrival={on_arrival!r}: expected a function that takes an Arrival")
        self._held = _banyan.Network(routing._held, options)
        self._on_arrival, self._tags, self._functions, self._numbers = on_arrival, {}, {}, 0

    now = property(lambda self: self._held.now, doc="the clock, in seconds")
    next = property(lambda self: self._held.next, doc="when something happens next; infinity: nothing will")
    under_way = property(lambda self: self._held.under_way, doc="messages that have not arrived")

    def send(self, source, destination, bytes, tag=None, weight=1.0):
        """A message leaves now, from host to host. `tag` is any object, and comes back with the Arrival. Where messages
        share a channel, one of twice the weight gets twice the rate."""
        number = self._number()
        hosts = _whole(source, "source", 2**32), _whole(destination, "destination", 2**32)
        size = _whole(bytes, "bytes", 2**63)
        self._tags[number] = tag
        try:
            self._held.send(*hosts, size, number, weight)
        except BaseException:
            del self._tags[number]
            raise

    def schedule(self, time, function):
        """Calls function() at that time."""
        if not callable(function):
            raise InputError(f"schedule takes a function, not {function!r}")
        number = self._number()
        self._functions[number] = function
        try:
            self._held.schedule(time, number)
        except BaseException:
            del self._functions[number]
            raise

    def stop(self):
        """Asked by a function that advance() calls: it returns as soon as that has, and the clock stays."""
        self._held.stop()

    def advance(self, until=float("inf")):
        """Runs all that happens until then, the end included, and gives the messages that have arrived: a list of
        Arrival, in the order of time. Without a time: until nothing is left."""
        self._held.advance(until, self._due, None if self._on_arrival is None else self._arrived)
        return [self._arrival(each) for each in self._held.take()]

    def _number(self):
        self._numbers += 1
        return self._numbers

    def _due(self, number):
        self._functions.pop(number)()

    def _arrival(self, given):
        return Arrival(self._tags.pop(given[0]), *given[1:])

    def _arrived(self, given):
        self._on_arrival(self._arrival(given))


def _whole(given, name, end):
    try:
        found = operator.index(given)
    except TypeError:
        raise InputError(f"{name}={given!r}: expected a whole number") from None
    if not 0 <= found < end:
        raise InputError(f"{name}={given!r}: expected a number from 0 to {end - 1}")
    return found


# --- questions ------------------------------------------------------------------------------------------------------
def _list(given):
    return [given] if isinstance(given, str) else [str(each) for each in given]


def _screen(progress):
    """Where progress is shown: by default on a terminal and in notebooks."""
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise InputError(f"progress={progress!r}: expected True, False or a function that takes a text")
    if progress is None:
        progress = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
    return sys.stderr.write if progress is True else progress or None


def _ask(name, of, options, traffic_=None, progress=None, other=None):
    fabric, routing = (of, None) if isinstance(of, Fabric) else (None, of)
    made = None
    if callable(traffic_) and not isinstance(traffic_, traffic):
        traffic_ = traffic(traffic_)
    if isinstance(traffic_, traffic):
        keys = {k: options.pop(k) for k in ("ranks", "placement") if k in options}
        if "seed" in options:
            keys["seed"] = options["seed"]
        made = traffic_._made((routing.fabric if routing else fabric)._held, **keys)
    elif traffic_ is not None:
        options["traffic"] = traffic_
    return _banyan.ask(name, fabric and fabric._held, routing and routing._held, other and other._held, options, made,
                       _screen(progress))


def _ask_fabric(name, fabric, *rest, **more):
    _demand(fabric, Fabric, f"{name} is asked of a fabric: bn.fabric(text)")
    return _ask(name, fabric, *rest, **more)


def _ask_routing(name, routing, *rest, **more):
    _demand(routing, Routing, f"{name} is asked of a routing: bn.route(fabric)")
    return _ask(name, routing, *rest, **more)


def size(hosts=None, *, family=(), **options):
    return _ask("size", None, {**options, "hosts": hosts, "family": _list(family)})


def describe(fabric, a=None, b=None, *, progress=None, **options):
    return _ask_fabric("describe", fabric, {**options, "a": a, "b": b}, progress=progress)


def draw(fabric, **options):
    return _ask_fabric("draw", fabric, options)


def diff(plan, observed):
    _demand(observed, Fabric, "diff is asked of two fabrics: bn.fabric(text)")
    return _ask_fabric("diff", plan, {}, other=observed)


def assign(fabric, traffic=None, *, progress=None, **options):
    return _ask_fabric("assign", fabric, options, traffic, progress)


def fail(fabric, without=(), *, traffic=None, progress=None, **options):
    return _ask_fabric("fail", fabric, {**options, "without": _list(without)}, traffic, progress)


def tables(routing, **options):
    return _ask_routing("tables", routing, options)


def check(routing=None, *, program=None, progress=None, **options):
    if program is not None and routing is None:
        return _ask("check", None, {**options, "program": program})
    return _ask_routing("check", routing, {**options, "program": program}, progress=progress)


def path(routing, source, destination, **options):
    return _ask_routing("path", routing, {**options, "source": source, "destination": destination})


def load(routing, traffic=None, *, progress=None, **options):
    return _ask_routing("load", routing, options, traffic, progress)


def rates(routing, traffic=None, *, progress=None, **options):
    return _ask_routing("rates", routing, options, traffic, progress)


def order(routing, traffic, hosts=None, *, progress=None, **options):
    hosts = None if hosts is None else hosts if isinstance(hosts, str) else ",".join(str(each) for each in hosts)
    return _ask_routing("order", routing, {**options, "hosts": hosts}, traffic, progress)


def time(routing, traffic=None, *, progress=None, **options):
    return _ask_routing("time", routing, options, traffic, progress)


def simulate(routing, traffic=None, *, progress=None, **options):
    return _ask_routing("simulate", routing, options, traffic, progress)


def study(file, out=None, *, threads=0):
    """Runs a study file and gives its rows: a pandas frame, or a list of dictionaries where there is no pandas. Results are
    kept in the folder `out` (by default the file's name with -results, here), and what is there already is not measured
    again, by the program or from here. A warning says how many points failed, and why the first did."""
    import json
    import pathlib
    import warnings

    file = pathlib.Path(file)
    folder = str(out) if out is not None else f"{file.stem}-results"
    found = json.loads(_banyan.study(str(file), folder, threads))
    reasons = [point["texts"]["failed"] for point in found["points"] if "failed" in point.get("texts", {})]
    if reasons:
        warnings.warn(f"{len(reasons)} of {len(found['points'])} points failed: {reasons[0]}", stacklevel=2)
    rows = []
    for point in found["points"]:
        of_point = {key: value for key, value in point.items() if key not in ("rows", "texts")}
        rows += [{**of_point, **row} for row in point["rows"]]
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def reproduce(paper, *, quick=False, seed=1, out=None, threads=0):
    """A paper's statements beside ours, as a dictionary: what `banyan reproduce PAPER --json` prints. Results are kept in
    the folder `out` (by default the paper's name with -results, here)."""
    import json

    return json.loads(_banyan.reproduce(paper, quick, seed, str(out) if out is not None else f"{paper}-results", threads))


def engines():
    """Every engine: name, source, summary, options."""
    return _banyan.engines()


def patterns():
    """Every traffic pattern: name, source, summary, options."""
    return _banyan.patterns()


def topologies():
    """Every family of fabrics: name, notation, example, summary, source."""
    return _banyan.topologies()


def _documented():
    """Gives questions their documentation, from the lists of options and fields."""
    import textwrap

    def listed(options):
        lines = ["", "Options:"]
        for option in options:
            default = f" (default {option['default']})" if option["default"] else ""
            key = option["name"].replace("-", "_")
            lines += textwrap.wrap(f"{key}: {option['meaning']}{default}", 100, initial_indent="    ", subsequent_indent="        ")
        return lines

    names = {}
    if route.__doc__:  # python -OO has none
        route.__doc__ += "\n".join(["", *listed(_banyan.routing_options())])
        Network.__doc__ += "\n".join(["", *listed(_banyan.network_options())])
    for info in _banyan.questions():
        lines = [info["summary"][0].upper() + info["summary"][1:] + ".", *listed(info["options"])]
        lines += ["", "Gives " + " or ".join(info["answers"]) + "."]
        globals()[info["name"]].__doc__ = "\n".join(lines)
        names.update(info["answers"])
    return names


_documentation = None


def _answer_names():
    global _documentation
    if _documentation is None:
        _documentation = _documented()
    return _documentation


def __getattr__(name):
    """Classes of answers are made when somebody looks at them."""
    if name[:1].isupper():
        infos = _answer_names().get(name)
        if infos is not None:
            if name not in _classes:
                _classes[name] = _class_of(name, infos)
            return _classes[name]
    raise AttributeError(f"module 'banyan' has no attribute '{name}'")


def __dir__():
    return sorted([*(n for n in globals() if not n.startswith("_")), *_answer_names()])


_answer_names()

__all__ = ["Answer", "Arrival", "Fabric", "InputError", "MissingPackage", "Network", "NotApplicable", "Routing", "Table", "assign",
           "check", "describe", "diff", "draw", "engines", "fabric", "fail", "from_networkx", "load", "order", "path", "patterns", "rates", "reproduce",
           "route", "simulate", "size", "study", "tables", "time", "topologies", "traffic"]
