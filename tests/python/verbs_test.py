"""Every question gives the numbers of the program's verb, for the same options and the same seed."""
import banyan as bn
import pytest

TREE = "4-ary 3-tree"
# Of a question in Python: what is asked for in the program, besides the fabric and the engine.
ROUTED = [
    ("check", {}),
    ("check", {"shifts": True}),
    ("load", {"traffic": "permutation", "samples": 200, "seed": 7, "channels": True}),
    ("load", {"traffic": "shift:3", "rates": True, "samples": 20}),
    ("load", {"traffic": "mpigraph", "rates": True, "samples": 20}),
    ("load", {"traffic": "permutation", "samples": 10, "worst_permutation": True}),
    ("time", {"traffic": "allreduce:bytes=1MiB", "link": "400G"}),
    ("time", {"traffic": "allreduce", "sizes": "1KiB,1MiB"}),
    ("simulate", {"traffic": "uniform", "load": 0.4, "cycles": 3000, "seed": 3}),
    ("simulate", {"traffic": "uniform", "curve": "0.1,0.5", "cycles": 1000}),
    ("simulate", {"traffic": "shift:5", "complete": True}),
]


def shared(answer, said):
    """The answer, and the same fields of what the program said: it also repeats what was asked."""
    given = answer.to_dict()
    assert given and set(given) <= set(said)
    return given, {key: said[key] for key in given}


@pytest.mark.parametrize("question, options", ROUTED)
def test_questions_of_a_routing(program, question, options):
    for fabric, engine in ((TREE, "dmodk"), ("HyperX(4x4; hosts=2)", "dor")):
        if options.get("shifts") and engine != "dmodk":
            continue
        routing = bn.route(bn.fabric(fabric), engine)
        given, said = shared(getattr(bn, question)(routing, **options), program(question, fabric, engine=engine, **options))
        assert given == said


def test_questions_of_a_fabric(program):
    fabric = bn.fabric(TREE)
    for given, said in (
        shared(bn.describe(fabric), program("describe", TREE)),
        shared(bn.draw(fabric), program("draw", TREE)),
        shared(bn.tables(bn.route(fabric, "dmodk")), program("route", TREE, engine="dmodk")),
        shared(bn.path(bn.route(fabric, "dmodk"), 0, 63, why=True), program("path", TREE, "0", "63", engine="dmodk", why=True)),
        shared(bn.size(hosts=256, ports=16), program("size", hosts=256, ports=16)),
        shared(bn.size(256, ports=16, family="PGFT"), program("size", hosts=256, ports=16, family="PGFT")),
        shared(bn.fail(fabric, "links=3,seed=1", samples=50), program("fail", TREE, without="links=3,seed=1", samples=50)),
        shared(bn.fail(fabric, sweep="links"), program("fail", TREE, sweep="links")),
    ):
        assert given == said


def test_a_damaged_subnet(program):
    found = bn.fabric("examples/last-night.out")
    given, said = shared(bn.describe(found), program("describe", "examples/last-night.out"))
    assert given == said and found.notation
    given, said = shared(bn.diff(bn.fabric("examples/plan.csv"), found), program("diff", "examples/plan.csv", "examples/last-night.out"))
    assert given == said and given["missing"]


def test_the_names_that_were_agreed():
    f = bn.fabric("4-ary 3-tree")
    assert (f.hosts, f.switches) == (64, 48)
    r = bn.route(f, "dmodk")
    assert bn.check(r).ok is True
    assert bn.load(r, "permutation", samples=1000, seed=1).max_load > 1
    assert 0.35 < bn.simulate(r, "uniform", load=0.4, cycles=20000, seed=1).accepted < 0.45


def test_lists(program):
    assert [each["name"] for each in bn.engines()] == [each["name"] for each in program("engines")["engines"]]
    assert {each["name"] for each in bn.patterns()} >= {"permutation", "shift", "uniform"}
    assert all(bn.fabric(each["example"]).hosts > 0 for each in bn.topologies())
