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
    ):
        with pytest.raises(expected) as raised:
            call()
        assert len(str(raised.value)) > 10
    assert issubclass(bn.InputError, ValueError)


def _two_cables_in_a_port():
    graph = nx.star_graph(2)
    for a, b in graph.edges:
        graph[a][b]["ports"] = {a: 0, b: 0}
    return graph
