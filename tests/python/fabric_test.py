"""Fabrics: from networkx and back, as arrays, without cables."""
import banyan as bn
import networkx as nx
import numpy as np
import pytest


def test_networkx_and_back():
    for text in ("4-ary 3-tree", "HyperX(4x4; hosts=2)"):
        before = bn.fabric(text)
        graph = before.to_networkx()
        assert nx.is_connected(graph) and graph.number_of_edges() == before.links
        after = bn.from_networkx(graph)
        assert (after.hosts, after.switches, after.links) == (before.hosts, before.switches, before.links)
        assert sorted(after.names) == sorted(before.names)
        assert after.notation == before.notation  # recognised
        assert bn.check(bn.route(after)).ok


def test_networkx_and_back_on_several_rails():
    before = bn.fabric("2 x XGFT(2; 4,4; 1,4)")
    graph = before.to_networkx()
    assert graph.nodes["h3.r1"]["host"] == "h3" and graph.nodes["h3.r1"]["rail"] == 1
    after = bn.from_networkx(graph)
    assert (after.hosts, after.rails, after.switches, after.links) == (16, 2, before.switches, before.links)
    assert sorted(after.names) == sorted(before.names) and after.notation == before.notation
    graph.nodes["h3.r1"].update(slot=0)
    with pytest.raises(bn.InputError, match="NICs of host h3"):
        bn.from_networkx(graph)


def test_networkx_and_back_with_uneven_hosts(tmp_path):
    """Host a has three NICs, b one, c two; the graph names host and slot of each, and is read back as it was."""
    file = tmp_path / "uneven.csv"
    file.write_text("from,to,from_kind,to_kind,from_rail,to_rail\n" + "".join(
        f"{host},s{i % 2},host,switch,n{slot},\n" for i, (host, slot) in
        enumerate([("a", 0), ("a", 1), ("a", 2), ("b", 0), ("c", 0), ("c", 1)])) + "s0,s1,switch,switch,,\n")
    before = bn.fabric(file)
    assert before.nic_places == [(0, 0, None), (1, 0, None), (2, 0, None), (0, 1, None), (2, 1, None), (0, 2, None)]
    graph = before.to_networkx()
    assert [graph.nodes[name]["host"] for name in before.names[:6]] == ["a", "b", "c", "a", "c", "a"]
    assert graph.nodes[before.names[5]]["slot"] == 2 and "rail" not in graph.nodes[before.names[5]]
    after = bn.from_networkx(graph)
    assert (after.hosts, after.nics, after.nic_places) == (3, 6, before.nic_places)
    assert after.names == before.names
    assert bn.check(bn.route(after, "updn")).pairs == 30


def test_networkx_with_a_gap_in_the_rails():
    graph = bn.fabric("2 x XGFT(2; 4,4; 1,4)").to_networkx()
    graph.remove_node("h3.r0")
    after = bn.from_networkx(graph)
    assert bn.describe(after).nics == 31
    again = after.to_networkx()
    assert (again.nodes["h3.r1"]["host"], again.nodes["h3.r1"]["rail"]) == ("h3", 1)
    assert list(again["h3.r1"]) == list(graph["h3.r1"])


def test_without_is_the_same_as_opening_without(tmp_path):
    """Faults are drawn from the fabric as it was read, before its shape is looked for."""
    file = tmp_path / "tree.csv"
    bn.fabric("4-ary 2-tree").write(file)
    whole, faults = bn.fabric(file), "links=2,seed=1"
    later, at_once = whole.without(faults), bn.fabric(file, without=faults)
    assert bn.diff(later, at_once).to_dict() == bn.diff(at_once, later).to_dict()
    assert bn.diff(whole, later).same == whole.links - 2 and len(bn.diff(whole, later).missing) == 2
    assert bn.describe(later) == bn.describe(at_once)
    assert later.faults == [faults] and "without links=2,seed=1" in repr(later)
    assert bn.fabric(file, without=[faults, "links=1"]).faults == later.without("links=1").faults


def test_any_graph():
    ring = nx.cycle_graph(5)
    ring.add_edges_from((i, f"host{i}") for i in range(5))
    fabric = bn.from_networkx(ring)
    assert (fabric.hosts, fabric.switches, fabric.links) == (5, 5, 10)
    assert bn.check(bn.route(fabric, "nue:lanes=2")).ok
    with pytest.raises(bn.InputError, match="kind"):
        bn.from_networkx(_with_kind("router"))


def _with_kind(kind):
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, kind, "kind")
    return graph


def test_distances_are_those_of_networkx():
    fabric = bn.fabric("HyperX(3x3; hosts=2)")
    graph, names = fabric.to_networkx(), fabric.names
    far = dict(nx.all_pairs_shortest_path_length(graph))
    expected = [[far[a][b] for b in names[:18]] for a in names[:18]]
    assert np.array_equal(fabric.distances(), expected)


def test_arrays_describe_the_cables():
    fabric = bn.fabric("2-ary 2-tree").without("links=1,seed=1")
    cabled = fabric.channel_to != 2**32 - 1
    assert cabled.sum() == 2 * fabric.links and len(fabric.channel_from) == fabric.channels
    assert fabric.links == bn.fabric("2-ary 2-tree").links - 1


def test_written_and_read(tmp_path):
    fabric = bn.fabric("4-ary 2-tree")
    fabric.write(tmp_path / "tree.csv")
    assert bn.fabric(tmp_path / "tree.csv").notation == fabric.notation


def test_bad_input_is_refused():
    for call, expected in (
        (lambda: bn.fabric("4-ary 3-treee"), bn.InputError),
        (lambda: bn.fabric("/no/such/file.csv"), bn.InputError),
        (lambda: bn.route(bn.fabric("4-ary 2-tree"), "dor"), bn.NotApplicable),
        (lambda: bn.route(bn.fabric("4-ary 2-tree"), "dmodq"), bn.InputError),
        (lambda: bn.load(bn.route(bn.fabric("4-ary 2-tree")), sampels=3), bn.InputError),
        (lambda: bn.load(bn.route(bn.fabric("4-ary 2-tree")), samples="many"), bn.InputError),
        (lambda: bn.load(bn.route(bn.fabric("4-ary 2-tree")), "shfit:1"), bn.InputError),
        (lambda: bn.from_networkx(nx.Graph()), bn.InputError),
        (lambda: bn.from_networkx(_two_cables_in_a_port()), bn.InputError),
        (lambda: bn.from_networkx(_star(latency=-5)), bn.InputError),
        (lambda: bn.from_networkx(_star(capacity=0)), bn.InputError),
        (lambda: bn.from_networkx(nx.relabel_nodes(_star(), {0: "1"})), bn.InputError),  # 1 and "1"
        (lambda: bn.from_networkx("4-ary 2-tree"), bn.InputError),
        (lambda: bn.fabric(None), bn.InputError),
        (lambda: bn.route("4-ary 2-tree"), bn.InputError),
        (lambda: bn.load(bn.fabric("4-ary 2-tree"), "permutation"), bn.InputError),
        (lambda: bn.load("4-ary 2-tree"), bn.InputError),
        (lambda: bn.describe(bn.route(bn.fabric("4-ary 2-tree"))), bn.InputError),
        (lambda: bn.diff(bn.fabric("4-ary 2-tree"), None), bn.InputError),
        (lambda: bn.order(bn.route(bn.fabric("4-ary 2-tree")), "ring", hosts=""), bn.InputError),
    ):
        with pytest.raises(expected) as raised:
            call()
        assert len(str(raised.value)) > 10
    assert issubclass(bn.InputError, ValueError)


def test_what_a_caller_reads():
    """Texts name options as a caller writes them, and guess only what is near."""
    tree = bn.fabric("4-ary 2-tree")
    routing = bn.route(tree)
    for call, expected in (
        (lambda: bn.load(tree, "permutation"), r"load is asked of a routing: bn\.route\(fabric\)"),
        (lambda: bn.route(tree, "dor"), "; engine dmodk routes this fabric"),
        (lambda: tree.without("seed=3"), "^without 'seed=3'"),
        (lambda: bn.load(routing, nosuch=3), "^unknown option 'nosuch'$"),
        (lambda: bn.load(routing, sampels=3), "did you mean 'samples'"),
        (lambda: bn.simulate(routing, curve="0.1", saturation=True), "^saturation and curve: expected one"),
        (lambda: bn.load(routing, lambda ranks: [(0, ranks)]), "names rank 16: there are ranks 0 to 15"),
    ):
        with pytest.raises((bn.InputError, bn.NotApplicable), match=expected):
            call()
    with pytest.raises(AttributeError, match="^LoadAnswer has no 'nothing'$"):
        bn.load(routing, samples=1).nothing


def test_options_of_an_engine():
    slim = bn.fabric("SlimFly(3)")
    assert bn.route(slim, "nue", lanes=3).lanes <= 3
    assert bn.route(slim, "nue", lanes=2).engine == "nue:lanes=2"
    with pytest.raises(bn.InputError, match="unknown option 'lanes'"):
        bn.route(bn.fabric("4-ary 2-tree"), "dmodk", lanes=2)
    with pytest.raises(bn.InputError, match="nue: lanes is given twice"):
        bn.route(slim, "nue:lanes=2", lanes=3)


def _star(**data):
    graph = nx.star_graph(3)
    nx.set_edge_attributes(graph, {edge: data for edge in graph.edges})
    return graph


def _two_cables_in_a_port():
    graph = nx.star_graph(2)
    for a, b in graph.edges:
        graph[a][b]["ports"] = {a: 0, b: 0}
    return graph
