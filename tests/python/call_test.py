"""How calls behave: threads, the interpreter's lock, Ctrl-C, memory."""
import os
import signal
import subprocess
import sys
import threading

import banyan as bn
import pytest


def test_threads_give_the_same_answers():
    routing = bn.route(bn.fabric("4-ary 3-tree"), "dmodk")
    expected = bn.load(routing, "permutation", samples=200, threads=1).to_dict()
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(bn.load(routing, "permutation", samples=200, threads=2).to_dict()))
        for _ in range(8)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == [expected] * 8


def test_other_threads_run_meanwhile():
    """A call waits for another thread of Python, which can only run if the call has released the lock."""
    routing = bn.route(bn.fabric("4-ary 2-tree"), "dmodk")
    other_ran = threading.Event()
    threading.Timer(0, other_ran.set).start()

    def waits(ranks):  # runs with the lock, and gives it away while it waits
        assert other_ran.wait(60)
        return [(0, 1)]

    assert bn.load(routing, waits).flows == 1


STOPPED = """
import banyan as bn
routing = bn.route(bn.fabric("8-ary 3-tree"), "dmodk")
def shift(ranks):
    print("within the call", flush=True)
    return [(i, (i + 1) % ranks) for i in range(ranks)]
try:
    bn.simulate(routing, shift, load=0.5, cycles=10**9)
except KeyboardInterrupt:
    print("stopped", bn.load(routing, "shift:1").max_load)
"""


def printed_after_ctrl_c(script, before):
    """What a script prints after the Ctrl-C that it gets when it has printed the line `before`."""
    with subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == before + "\n"
        child.send_signal(signal.SIGINT)
        after = child.stdout.read()
    assert child.returncode == 0
    return after


def test_ctrl_c_stops_a_call():
    assert printed_after_ctrl_c(STOPPED, "within the call").splitlines()[-1] == "stopped 1.0"


WITHIN_THE_FUNCTION = """
import banyan as bn
routing = bn.route(bn.fabric("4-ary 2-tree"), "dmodk")
def endless(ranks):
    print("within the function", flush=True)
    while True:
        pass
try:
    bn.load(routing, endless, threads=1)
except KeyboardInterrupt:
    print("stopped", bn.load(routing, "shift:1").max_load)
"""


def test_ctrl_c_stops_a_function_that_a_call_runs():
    assert printed_after_ctrl_c(WITHIN_THE_FUNCTION, "within the function") == "stopped 1.0\n"


@pytest.mark.parametrize("threads", [2, 4])
def test_ctrl_c_stops_functions_in_other_threads(threads):
    """In each of the library's threads one runs, which Python's own handler of signals does not reach."""
    script = WITHIN_THE_FUNCTION.replace("threads=1", f"samples=100, threads={threads}")
    script = script.replace("endless(ranks)", "endless(ranks, round, sample, seed)").replace(
        "bn.load(routing, endless", "bn.load(routing, bn.traffic(endless, random=True)")
    script = script.replace('print("within the function", flush=True)', f"""global running
    running += 1
    if running == {threads}:
        print("within the function", flush=True)""").replace("def endless", "running = 0\ndef endless")
    assert printed_after_ctrl_c(script, "within the function") == "stopped 1.0\n"


SLOW = """
import sys, time, types
import banyan as bn
def slow(ranks, round, sample, seed):
    time.sleep(0.03)
    return [(0, 1 + sample % 3)]
def load(**more):
    routing = bn.route(bn.fabric("4-ary 2-tree"), "dmodk")
    bn.load(routing, bn.traffic(slow, random=True), samples=40, threads=1, **more)
"""


def shown(code):
    return subprocess.run([sys.executable, "-B", "-c", SLOW + code], capture_output=True, text=True, check=True)


def test_progress_is_shown_where_it_is_wanted():
    """In a notebook, and to a function; not in a pipe, nor where it was not wanted."""
    notebook = "sys.modules['ipykernel'] = types.ModuleType('ipykernel')\n"
    assert " of 40" in shown(notebook + "load()").stderr
    assert shown("load()").stderr == shown(notebook + "load(progress=False)").stderr == ""
    to_function = shown("load(progress=lambda text: print(repr(text)))")
    assert " of 40" in to_function.stdout and not to_function.stderr
    assert "ZeroDivisionError" not in shown("load(progress=lambda text: 1 / 0)").stderr  # a screen that fails shows nothing
    with pytest.raises(bn.InputError, match="progress='yes'"):
        bn.load(bn.route(bn.fabric("4-ary 2-tree")), progress="yes")


def test_a_module_that_was_not_built_says_so(tmp_path):
    package = tmp_path / "banyan"
    package.mkdir()
    (package / "__init__.py").write_bytes(open(bn.__file__, "rb").read())
    done = subprocess.run([sys.executable, "-B", "-c", "import banyan"], env={**os.environ, "PYTHONPATH": str(tmp_path)},
                          capture_output=True, text=True, check=False)
    assert "ImportError: the extension of banyan is not in" in done.stderr and "banyan_python" in done.stderr


WITHOUT = """
import sys
for name in ("numpy", "pandas", "networkx"):
    sys.modules[name] = None  # as if it were not installed
import banyan as bn
fabric = bn.fabric("4-ary 2-tree")
routing = bn.route(fabric, "dmodk")
answer = bn.load(routing, "shift:1", channels=True)
assert answer.max_load == 1 and answer.hottest[0].load == 1 and len(answer.to_dict()["channel_loads"]) == fabric.channels
assert bn.check(routing).ok and bn.simulate(routing, "uniform", load=0.2, cycles=200).accepted > 0 and repr(answer)
needs = {
    "numpy": [lambda: answer.channel_loads, lambda: fabric.channel_from, fabric.distances, routing.tables,
              lambda: bn.route(fabric, lambda f: []), lambda: bn.load(routing, lambda ranks: [(0, 1)])],
    "pandas": [answer.to_pandas, answer.hottest.to_pandas],
    "networkx": [fabric.to_networkx],
}
for package, calls in needs.items():
    for call in calls:
        try:
            call()
        except bn.MissingPackage as error:
            assert f"needs {package}, which is not installed" in str(error) and error.name == package, error
            assert isinstance(error, bn.NotApplicable) and isinstance(error, ImportError)
        else:
            raise AssertionError(package)
del sys.modules["networkx"]
import networkx
graph = fabric.to_networkx()
assert graph.number_of_edges() == 32 and bn.from_networkx(graph).notation == fabric.notation
print("all of it")
"""


def test_what_is_not_installed_is_named():
    done = subprocess.run([sys.executable, "-B", "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.stdout == "all of it\n", done.stderr


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_ten_thousand_fabrics_leak_nothing():
    def once():
        routing = bn.route(bn.fabric("4-ary 2-tree"), "dmodk")
        answer = bn.load(routing, "shift:1", threads=1, channels=True)
        return answer.channel_loads, routing.tables(), answer.hottest

    for _ in range(1000):
        once()
    before = resident()
    for _ in range(9000):
        once()
    assert resident() - before < 4 << 20  # an answer of each would be 100 MB


def test_errors_leak_nothing_and_break_nothing():
    fabric = bn.fabric("4-ary 2-tree")
    for _ in range(1000):
        try:
            bn.route(fabric, "dor")
        except bn.NotApplicable:
            pass
    assert bn.check(bn.route(fabric)).ok
