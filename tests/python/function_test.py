"""Engines and traffic that are Python functions, through judge, loads and simulator."""
import threading

import banyan as bn
import networkx as nx
import numpy as np
import pytest


def shortest(fabric):
    """Next hops of breadth-first trees, one for each destination."""
    tables = np.full((fabric.switches, fabric.nics), 255, dtype=np.uint8)
    graph, names = fabric.to_networkx(), fabric.names
    number = {name: i for i, name in enumerate(names)}
    for nic in range(fabric.nics):
        parents = nx.predecessor(graph, names[nic])
        for node, towards in parents.items():
            if number[node] >= fabric.nics:
                edge = next(iter(graph[node][towards[nic % len(towards)]].values()))
                tables[number[node] - fabric.nics, nic] = edge["ports"][node]
    return tables


def test_an_engine():
    fabric = bn.fabric("4-ary 2-tree")
    routing = bn.route(fabric, shortest)
    verdict = bn.check(routing)
    assert routing.engine == "shortest" and verdict.ok and verdict.minimal
    assert bn.load(routing, "permutation", samples=20).max_load >= 1
    assert bn.simulate(routing, "uniform", load=0.2, cycles=1000).accepted > 0.1
    assert bn.path(routing, 0, 15).paths[0].arrives


def test_an_engine_with_lanes():
    ring = nx.cycle_graph(4)
    ring.add_edges_from((i, f"h{i}") for i in range(4))
    fabric = bn.from_networkx(ring)
    by_name = {name: i for i, name in enumerate(fabric.names)}
    graph = fabric.to_networkx()
    tables = np.full((4, 4), 255, np.uint8)
    lanes = np.zeros((4, 4), np.uint8)
    for s in range(4):
        for d in range(4):
            towards = f"h{d}" if s == d else str((s + 1) % 4)
            tables[by_name[str(s)] - 4, by_name[f"h{d}"]] = graph[str(s)][towards][0]["ports"][str(s)]
    assert not bn.check(bn.route(fabric, lambda f: tables)).deadlock_free
    for s in range(4):
        for d in range(4):
            lanes[by_name[f"h{s}"], by_name[f"h{d}"]] = s > d  # those that cross the dateline
    routing = bn.route(fabric, lambda f: (tables, lanes))
    assert routing.lanes == 2 and bn.check(routing).lanes == 2


def test_what_an_engine_may_not_give():
    fabric = bn.fabric("4-ary 2-tree")
    for wrong in (np.zeros((3, 3), np.uint8), np.full((8, 16), 99), np.full((8, 16), 1000), np.full((8, 16), -1)):
        with pytest.raises(bn.InputError):
            bn.route(fabric, lambda f, wrong=wrong: wrong)

    right = np.full((8, 16), 255)
    for wrong in (None, "ports", (right, None, None), (right, np.full((16, 16), 256)), (right, np.full((16, 16), 16)),
                  (right, "lanes"), right + 0.5):
        with pytest.raises(bn.InputError):
            bn.route(fabric, lambda f, wrong=wrong: wrong)

    def refuses(fabric):
        raise bn.NotApplicable("only on Sundays")

    with pytest.raises(bn.NotApplicable, match="Sundays"):
        bn.route(fabric, refuses)
    nowhere = bn.route(fabric, lambda f: np.full((f.switches, f.nics), 255))
    assert not bn.check(nowhere).ok and bn.check(nowhere).counterexample


def test_a_traffic():
    routing = bn.route(bn.fabric("4-ary 3-tree"), "dmodk")
    shift = lambda ranks: [(i, (i + 5) % ranks) for i in range(ranks)]
    ours, theirs = bn.load(routing, shift, rates=True, samples=10), bn.load(routing, "shift:5", rates=True, samples=10)
    assert ours.to_dict() == theirs.to_dict()
    run = {"load": 0.3, "cycles": 1000}
    assert bn.simulate(routing, shift, **run).accepted == bn.simulate(routing, "shift:5", **run).accepted
    assert bn.load(routing, shift, ranks=16, placement="random").flows == 16

    def rounds(ranks, round, sample, seed):
        return np.array([[i, i ^ (1 << round), 2.0] for i in range(ranks)])

    assert bn.load(routing, bn.traffic(rounds, rounds=6)).rounds == 6

    def drawn(ranks, round, sample, seed):
        order = np.random.default_rng([seed, sample]).permutation(ranks)
        return np.stack([np.arange(ranks), order], axis=1)

    random = bn.traffic(drawn, random=True)
    assert bn.load(routing, random, samples=40, threads=4) == bn.load(routing, random, samples=40, threads=1)
    sent = bn.traffic(lambda ranks: [(0, 1, 1 << 20)], in_bytes=True)
    assert bn.time(routing, sent, link="400G").seconds == pytest.approx((1 << 20) / 50e9)


def test_what_a_traffic_raises_is_raised():
    routing = bn.route(bn.fabric("4-ary 2-tree"), "dmodk")
    with pytest.raises(ZeroDivisionError):
        bn.load(routing, lambda ranks: 1 // 0)
    for wrong in ([(0, 99)], [(0,)], [(-1, 0)], [(0, 1, -5.0)], [(0.5, 1)]):
        with pytest.raises(bn.InputError):
            bn.load(routing, lambda ranks, wrong=wrong: wrong)
    threads = [threading.Thread(target=bn.load, args=(routing, "permutation")) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_what_a_traffic_raises_is_raised_by_every_question(threads):
    fabric = bn.fabric("4-ary 2-tree")
    routing = bn.route(fabric, "dmodk")

    def fails(ranks):
        raise KeyError("mine")

    def fails_later(ranks, round, sample, seed):
        if sample == 7:
            raise KeyError("mine")
        return [(0, 1)]

    for call in (
        lambda: bn.load(routing, fails, threads=threads),
        lambda: bn.load(routing, bn.traffic(fails_later, random=True), samples=40, threads=threads),
        lambda: bn.rates(routing, fails, threads=threads),
        lambda: bn.time(routing, bn.traffic(fails, in_bytes=True), threads=threads),
        lambda: bn.simulate(routing, fails, load=0.2, cycles=200, threads=threads),
        lambda: bn.assign(fabric, fails, threads=threads),
        lambda: bn.fail(fabric, "links=1", traffic=fails, threads=threads),
    ):
        with pytest.raises(KeyError, match="mine"):
            call()
    assert bn.load(routing, "shift:1", threads=threads).max_load == 1


def test_threads_simulate_a_traffic_alike():
    routing = bn.route(bn.fabric("4-ary 3-tree"), shortest)
    shift = lambda ranks: [(i, (i + 5) % ranks) for i in range(ranks)]
    runs = [bn.simulate(routing, shift, load=0.3, cycles=500, threads=threads).to_dict() for threads in (1, 2, 3)]
    assert runs[0] == runs[1] == runs[2] == bn.simulate(routing, "shift:5", load=0.3, cycles=500).to_dict()


def test_amounts_are_weights_of_rates():
    """Two flows into one host: three to one, unless amounts shall mean nothing."""
    routing = bn.route(bn.fabric("4-ary 2-tree"), "dmodk")
    into = lambda ranks: [(1, 0, 3.0), (2, 0, 1.0)]
    assert bn.rates(routing, into).min_rate == pytest.approx(0.25)
    assert bn.rates(routing, into, model="max-min:demands=none").min_rate == pytest.approx(0.5)


def test_a_function_may_ask():
    routing = bn.route(bn.fabric("4-ary 2-tree"), "dmodk")
    assert bn.load(routing, lambda ranks: [(0, 1)] if bn.check(routing).ok else [], threads=2).flows == 1


def test_what_a_traffic_may_not_give():
    routing = bn.route(bn.fabric("4-ary 2-tree"), "dmodk")
    for wrong in (None, 5, [(0, 1, float("inf"))], [(0, 1, float("nan"))], [(0, 1, -1)], [(0,)], [("a", "b")], [(0, 16)]):
        with pytest.raises(bn.InputError):
            bn.load(routing, lambda ranks, wrong=wrong: wrong)
    with pytest.raises(bn.InputError):
        bn.time(routing, bn.traffic(lambda ranks: [(0, 1, float("inf"))], in_bytes=True))
    for make in (lambda: bn.traffic(5), lambda: bn.traffic(lambda ranks: [], rounds=0), lambda: bn.traffic("ring")):
        with pytest.raises(bn.InputError):
            make()
