"""Answers: attributes, documentation, arrays without a copy, frames."""
import inspect
import json
import os
import pydoc

import banyan as bn
import numpy as np
import pytest


@pytest.fixture(scope="module")
def routing():
    return bn.route(bn.fabric("4-ary 3-tree"), "dmodk")


def test_attributes_are_fields(routing):
    answer = bn.load(routing, "permutation", samples=20)
    assert answer.max_load == answer.to_dict()["max_load"]
    assert json.loads(answer.to_json()) == answer.to_dict()
    assert type(answer) is bn.LoadAnswer and "max_load=" in repr(answer)
    assert {"max_load", "to_dict"} <= set(dir(answer))
    with pytest.raises(AttributeError, match="max_load"):
        answer.max_laod
    with pytest.raises(AttributeError, match="not asked for"):
        answer.mean_rate
    with pytest.raises(AttributeError):
        answer.max_load = 3


def test_a_curve_shows_what_it_has(routing):
    assert "points=[2 of them]" in repr(bn.simulate(routing, "uniform", curve="0.1,0.2", cycles=200))


def test_arrays_are_not_copied(routing):
    answer = bn.load(routing, "permutation", samples=5, channels=True)
    first, second = answer.channel_loads, answer.channel_loads
    assert isinstance(first, np.ndarray) and first.ctypes.data == second.ctypes.data
    assert not first.flags.writeable
    total = first.sum()
    del answer, second  # the array keeps its answer
    assert first.sum() == total
    matrix = bn.load(routing, "mpigraph", rates=True, samples=5).mpigraph.rates
    assert np.isnan(matrix[0][0]) and matrix[0][1] > 0


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_thousand_views_of_tables_take_no_memory():
    routing = bn.route(bn.fabric("HyperX(8x8; hosts=8)"), "minhop")
    size = routing.tables().size
    before = resident()
    views = [routing.tables() for _ in range(1000)]
    assert len(views) == 1000 and resident() - before < 100 * size


def test_tables_are_not_copied():
    fabric = bn.fabric("HyperX(4x4; hosts=2)")
    routing = bn.route(fabric, "minhop")
    tables = routing.tables()
    assert tables.shape == (16, 32) and tables.dtype == np.uint8
    assert tables.ctypes.data == routing.tables().ctypes.data
    again = bn.route(fabric, lambda _: tables)
    assert bn.load(again, "permutation", samples=50).max_load == bn.load(routing, "permutation", samples=50).max_load


def test_closed_forms_have_tables(routing):
    tables = routing.tables()
    assert tables.shape == (48, 64) and tables.max() < 8


def test_frames(routing):
    import pandas

    frame = bn.size(hosts=256, ports=16).candidates.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and {"fabric", "price"} <= set(frame.columns) and len(frame) > 1
    assert bn.check(routing).to_pandas().loc["average_path", "unit"] == "channels"


def test_help_helps():
    assert "samples of a random traffic" in bn.load.__doc__ and "LoadAnswer" in bn.load.__doc__
    text = pydoc.plain(pydoc.render_doc(bn.LoadAnswer))
    assert "max_load" in text and "maximum load of a channel" in text
    for name in bn.__all__:
        assert inspect.getdoc(getattr(bn, name)), name
    assert "LoadAnswer" in dir(bn)
