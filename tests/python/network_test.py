"""The network that is advanced by time: the model's numbers, callbacks, failures, threads, memory."""
import gc
import math
import threading
import weakref

import banyan as bn
import pytest
from call_test import printed_after_ctrl_c

LINK = 50e9  # bytes a second: 400G
ROUTING = bn.route(bn.fabric("4-ary 2-tree"), "dmodk")


def test_a_message_takes_its_bytes_over_the_link_and_its_delays():
    network = bn.Network(ROUTING, link="400G", overhead="2us", switch_delay="100ns")
    network.send(0, 1, 2**20, tag={"any": "object"})
    network.send(2, 3, 0)
    assert network.under_way == 2 and network.now == 0 and network.next == pytest.approx(2.1e-6)
    small, large = network.advance()
    assert small == (None, 2, 3, 0, 0.0, pytest.approx(2.1e-6))
    assert large.tag == {"any": "object"} and (large.source, large.destination, large.bytes) == (0, 1, 2**20)
    assert large.time == network.now == pytest.approx(2**20 / LINK + 2.1e-6)
    assert network.under_way == 0 and network.next == math.inf and network.advance(1) == [] and network.now == 1
    assert large.time - 2.1e-6 == pytest.approx(
        bn.time(ROUTING, bn.traffic(lambda ranks: [(0, 1, 2**20)], in_bytes=True), link="400G").seconds)


def test_weights_share_a_channel():
    """Two messages into one host, three to one: the first ends after 4/3 of its time alone, both after two."""
    network = bn.Network(ROUTING, link="400G")
    network.send(1, 0, 10**6, "light")
    network.send(2, 0, 10**6, "heavy", weight=3)
    first, second = network.advance()
    assert (first.tag, second.tag) == ("heavy", "light")
    assert first.time == pytest.approx(4 / 3 * 10**6 / LINK) and second.time == pytest.approx(2 * 10**6 / LINK)


def test_callbacks_send_and_schedule():
    """A message goes round all hosts, waiting a microsecond at each; as examples/library/ring.c, which is C."""
    hops = []

    def arrived(arrival):
        hops.append(arrival.destination)
        if arrival.destination:
            network.schedule(network.now + 1e-6, lambda: send(arrival.destination))

    def send(at):
        network.send(at, (at + 1) % 16, 10**5)

    network = bn.Network(ROUTING, arrived, link="400G")
    send(0)
    assert network.advance() == []
    assert hops == [*range(1, 16), 0] and network.now == pytest.approx(16 * 10**5 / LINK + 15e-6)


def test_advance_stops_where_it_is_told():
    network = bn.Network(ROUTING)
    for time in (1.0, 2.0, 3.0):
        network.send(0, 1, 0, time)
        network.schedule(time, network.stop if time == 2 else lambda: None)
    assert len(network.advance(1.5)) == 3 and network.now == 1.5
    network.advance()
    assert network.now == 2 and network.next == 3
    network.advance(3)
    assert network.next == math.inf


def test_what_a_callback_raises_is_raised_and_the_rest_follows():
    network = bn.Network(ROUTING)
    network.schedule(1, lambda: 1 // 0)
    network.schedule(1, lambda: network.send(0, 1, 0, "later"))
    network.send(2, 3, 0, "first")
    with pytest.raises(ZeroDivisionError):
        network.advance()
    assert network.now == 1
    assert [each.tag for each in network.advance()] == ["first", "later"]  # none is lost
    failing = bn.Network(ROUTING, lambda arrival: {}["none"])
    failing.send(0, 1, 8)
    with pytest.raises(KeyError):
        failing.advance()


def test_what_is_refused():
    network = bn.Network(ROUTING)
    for wrong in ((0, 16, 1), (-1, 0, 1), (2**40, 0, 1), (0, 1, -1), (0, 1, 0.5), (0, "h1", 1), (0, 1, 2**64)):
        with pytest.raises(bn.InputError):
            network.send(*wrong)
    for weight in (0, -1, math.nan, math.inf):
        with pytest.raises(bn.InputError, match="weight"):
            network.send(0, 1, 8, weight=weight)
    assert network.under_way == 0
    network.advance(1)
    for call in (lambda: network.advance(0.5), lambda: network.schedule(0.5, print), lambda: network.advance(math.nan)):
        with pytest.raises(bn.InputError, match="past"):
            call()
    for make, word in ((lambda: bn.Network(ROUTING, lnik="400G"), "link"), (lambda: bn.Network(ROUTING, link="fast"), "fast"),
                       (lambda: bn.Network(ROUTING, 5), "on_arrival"), (lambda: bn.Network(ROUTING.fabric), "routing"),
                       (lambda: network.schedule(2, 5), "function")):
        with pytest.raises(bn.InputError, match=word):
            make()
    network.schedule(2, network.advance)
    with pytest.raises(bn.InputError, match="is being advanced"):
        network.advance()


def test_another_thread_is_refused_while_it_is_advanced():
    refused = []

    def other():
        for call in (lambda: network.send(0, 1, 8), network.advance, network.stop, lambda: network.next):
            with pytest.raises(bn.InputError, match="by another thread"):
                call()
            refused.append(call)

    def within():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    network = bn.Network(ROUTING)
    network.schedule(1, within)
    network.advance()
    assert len(refused) == 4
    thread = threading.Thread(target=lambda: network.send(0, 1, 8, "theirs"))  # now it may
    thread.start()
    thread.join()
    assert network.advance()[0].tag == "theirs"


def test_a_cycle_through_a_network_is_collected():
    class Simulator:
        def __init__(self):
            self.network = bn.Network(ROUTING, self.arrived)
            self.network.schedule(1, self.due)
            self.network.send(0, 1, 8, tag=self)

        def arrived(self, arrival):
            pass

        def due(self):
            pass

    gone = weakref.ref(Simulator())
    gc.collect()
    assert gone() is None


ENDLESS = """
import banyan as bn
def back(arrival):
    if arrival.tag == 0:
        print("within the call", flush=True)
    network.send(arrival.destination, arrival.source, 8, tag=1)
network = bn.Network(bn.route(bn.fabric("4-ary 2-tree"), "dmodk"), CALLED, overhead="1us")
network.send(0, 1, 8, tag=0)
try:
    network.advance()
except KeyboardInterrupt:
    print("stopped", network.under_way)
"""


def test_ctrl_c_stops_the_clock():
    stopped = printed_after_ctrl_c(ENDLESS.replace("CALLED", "back"), "within the call").split()
    assert stopped[0] == "stopped" and stopped[1] in ("0", "1")  # within the callback, or between two


def test_help_lists_the_options():
    assert all(f"{name}: " in bn.Network.__doc__ for name in ("link", "nic", "overhead", "switch_delay", "cable"))
