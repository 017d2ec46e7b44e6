"""Every question gives the numbers of the program's verb, for the same options and the same seed."""
import os
import subprocess

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
    ("order", {"traffic": "shift:3", "hosts": "h[0-7],12", "swaps": 200, "seed": 5}),
    ("time", {"step": "tensor=4,pipeline=2,layers=8,hidden=512"}),
    ("time", {"program": "allreduce:bytes=1MiB", "ranks": 8, "level": "loggops"}),
]
PROGRAM = """num_ranks 2
rank 0 {
l1: send 100b to 1 tag 3
}
rank 1 {
l1: recv 100b from 0 tag 3
}
"""


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
        shared(bn.fail(fabric, ["links=1", "switch=s1-1"], samples=50),
               program("fail", TREE, without=["links=1", "switch=s1-1"], samples=50)),
        shared(bn.assign(fabric, "shift:4", hash="crc32", ports=64, hashes=5),
               program("assign", TREE, traffic="shift:4", hash="crc32", ports=64, hashes=5)),
    ):
        assert given == said


def test_programs(program, tmp_path):
    file = tmp_path / "two.goal"
    file.write_text(PROGRAM, encoding="ascii")
    given, said = shared(bn.check(program=file), program("check", program=file))
    assert given == said and given["deadlock_free"] and given["messages"] == 1
    assert bn.check(program=file).ok is True
    routing = bn.route(bn.fabric(TREE), "dmodk")
    given, said = shared(bn.time(routing, program=file), program("time", TREE, engine="dmodk", program=file))
    assert given == said and given["operations"] == 2
    for call in (lambda: bn.time(routing, "ring", program=file), lambda: bn.check(routing, program=file), bn.check):
        with pytest.raises(bn.InputError):
            call()


def test_jobs_and_timelines(program, tmp_path):
    jobs, timeline = tmp_path / "list.swf", tmp_path / "course.txt"
    jobs.write_text("".join(f"{job} 0 0 0 3{' -1' * 13}\n" for job in (1, 2)), encoding="ascii")
    timeline.write_text("10us lose links=1,seed=1\n", encoding="ascii")
    for options in ({"jobs": jobs, "repeats": 2}, {"timeline": timeline, "reroute_delay": "5us"}, {"jobs": jobs, "timeline": timeline}):
        for engine in ("minhop", "auto"):  # auto: dmodk does not apply to what is left
            asked = {"program": "allreduce:bytes=1MiB", **options}
            given, said = shared(bn.time(bn.route(bn.fabric(TREE), engine), **asked), program("time", TREE, engine=engine, **asked))
            assert given == said and ("jobs" in given) == ("jobs" in options)


def test_counters(program, tmp_path):
    file = tmp_path / "counters.csv"
    file.write_text("node,port,counter,value\ns1-1,5,rx_crc_errors,9000\nh3,1,rx_crc_errors,1\n", encoding="ascii")
    for options in ({}, {"engine": "minhop", "traffic": "shift:4"}, {"without": "links=1,seed=1"}):
        given, said = shared(bn.fail(bn.fabric(TREE), counters=file, **options), program("fail", TREE, counters=file, **options))
        assert given == said and len(given["cables"]) == 2
    with pytest.raises(bn.InputError, match="counters takes no sweep"):
        bn.fail(bn.fabric(TREE), counters=file, sweep="links")


def test_what_the_program_refuses_is_refused(tmp_path):
    routing = bn.route(bn.fabric(TREE))
    for options, why in (
        ({"program": "ring:bytes=8", "byte_gap": "1ns"}, "byte-gap changes nothing for a program at level fluid"),
        ({"program": "ring:bytes=8", "rounds": "barrier"}, "rounds changes nothing"),
        ({"step": "tensor=4", "traffic": "allreduce"}, "step has traffic of its own"),
        ({"repeats": 2}, "repeats needs program"),
        ({"program": "ring:bytes=8", "repeats": 2}, "repeats is for jobs"),
        ({"traffic": "allreduce", "eager": 1}, "eager changes nothing for traffic"),
    ):
        with pytest.raises(bn.InputError, match=why):
            bn.time(routing, **options)
    with pytest.raises(bn.InputError, match="unknown option 'ranks'"):
        bn.order(routing, "ring", ranks=4)
    assert " ranks:" not in bn.order.__doc__ and " placement:" not in bn.order.__doc__
    assert "of=hosts" in bn.fail.__doc__ and "addresses:" in bn.route.__doc__


def test_studies(program, tmp_path, monkeypatch):
    import pandas

    monkeypatch.chdir(tmp_path)
    file = tmp_path / "one.toml"
    file.write_text('title = "One"\nfabrics = "4-ary 2-tree"\nengines = ["dmodk", "minhop"]\ntraffic = "shift:4"\n[load]\n', encoding="ascii")
    frame = bn.study(file)
    assert isinstance(frame, pandas.DataFrame) and set(frame["engine"]) == {"dmodk", "minhop"}
    said = program("study", str(file), no_report=True)  # goes on where Python stopped: nothing is left to measure
    assert [row["value"] for point in said["points"] for row in point["rows"]] == frame["value"].tolist()
    file.write_text('fabrics = "Torus(4x4)"\nengines = ["dmodk"]\ntraffic = "shift:4"\n[load]\n', encoding="ascii")
    with pytest.raises(bn.NotApplicable, match="dmodk"):
        bn.study(file, out="other")
    with pytest.raises(bn.InputError):
        bn.study("nowhere.toml")


def test_papers(program, tmp_path):
    found = bn.reproduce("petrini01", quick=True, out=tmp_path / "results")
    said = program("reproduce", "petrini01", quick=True, out=str(tmp_path / "results"))
    assert found == said
    with pytest.raises(bn.InputError, match="petrini01"):
        bn.reproduce("petrini02")


def test_rates_are_those_of_load():
    routing = bn.route(bn.fabric(TREE), "dmodk")
    rates, load = bn.rates(routing, "shift:3", samples=1), bn.load(routing, "shift:3", rates=True, samples=1)
    assert (rates.mean_rate, rates.min_rate) == (load.mean_rate, load.min_rate)


def test_tables_of_a_file_whose_names_are_not_in_order(program, tmp_path):
    """Tables are in the numbers of their file; a shape has other numbers."""
    plan, folder = tmp_path / "plan.csv", tmp_path / "tables"
    bn.fabric("4-ary 2-tree").write(plan)
    lines = plan.read_text(encoding="ascii").splitlines()
    other = {f"h{i}": f"n{(7 * i) % 16:02}" for i in range(16)}
    plan.write_text("\n".join([lines[0], *(",".join(other.get(c, c) for c in line.split(",")) for line in lines[1:])]),
                    encoding="ascii")
    program("route", str(plan), engine="minhop", out=str(folder))
    for options in ({"without": "links=2,seed=1", "samples": 20}, {"sweep": "links"}):
        given, said = shared(bn.fail(bn.fabric(plan), tables=folder, **options),
                             program("fail", str(plan), tables=str(folder), **options))
        assert given == said
    damaged = bn.fabric(plan).without("links=2,seed=1")
    given, said = shared(bn.check(bn.route(damaged, tables=folder)),
                         program("check", str(plan), tables=str(folder), without="links=2,seed=1"))
    assert given == said


def test_a_damaged_subnet(program):
    found = bn.fabric("examples/last-night.out")
    given, said = shared(bn.describe(found), program("describe", "examples/last-night.out"))
    assert given == said and found.notation
    given, said = shared(bn.diff(bn.fabric("examples/plan.csv"), found), program("diff", "examples/plan.csv", "examples/last-night.out"))
    assert given == said and given["missing"]


def test_convert(tmp_path):
    """A fabric is written as the program writes it, in every format."""
    for ending in ("csv", "json", "dot", "graphml", "net"):
        ours, theirs = tmp_path / f"ours.{ending}", tmp_path / f"theirs.{ending}"
        subprocess.run([os.environ["BANYAN"], "convert", TREE, str(theirs)], capture_output=True, check=True)
        bn.fabric(TREE).write(ours)
        assert ours.read_bytes() == theirs.read_bytes()


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
