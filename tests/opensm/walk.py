"""A judge of forwarding tables that shares nothing with ours: it walks every pair, switch by switch, and looks for a cycle
among the channels that packets hold and want.

    subnet = Subnet("opensm-subnet.lst")
    walk(subnet, table("opensm-lfts.dump"))     # Walked(pairs, lost, acyclic, destinations)
"""
import re
from collections import Counter, namedtuple
from pathlib import Path

Walked = namedtuple("Walked", "pairs lost acyclic destinations")  # destinations: Counter by channel between switches

END = re.compile(r"\{ (CA|SW)\b.*? NodeGUID:([0-9a-fA-F]+) .*?LID:([0-9a-fA-F]+) PN:([0-9a-fA-F]+) \}")


class Subnet:
    """Who is cabled to whom, from OpenSM's list of links."""

    def __init__(self, path):
        self.far = {}      # (switch, port): (its far end, is that a switch)
        self.hosts = {}    # LID: (switch, node) where the host is plugged
        for line in Path(path).read_text().splitlines():
            ends = [(kind, int(guid, 16), int(lid, 16), int(port, 16)) for kind, guid, lid, port in END.findall(line)]
            if len(ends) != 2:
                continue
            for (kind, guid, lid, port), (far_kind, far_guid, far_lid, _) in (ends, ends[::-1]):
                if kind == "SW":
                    self.far[guid, port] = (far_guid, far_kind == "SW")
                elif far_kind == "SW":
                    self.hosts[lid] = (far_guid, guid)


def acyclic(wants):
    """Whether what channels want has an order: those that nobody waits for are taken away, one after the other."""
    waiting = Counter(wanted for some in wants.values() for wanted in some)
    free = [channel for channel in wants if not waiting[channel]]
    taken = 0
    while free:
        channel = free.pop()
        taken += 1
        for wanted in wants.get(channel, ()):
            waiting[wanted] -= 1
            if not waiting[wanted]:
                free.append(wanted)
    return taken == len(wants.keys() | {wanted for some in wants.values() for wanted in some})


def walk(subnet, tables):
    pairs = lost = 0
    wants, destinations = {}, Counter()
    for lid, (_, goal) in subnet.hosts.items():
        used = set()
        for source, (at, node) in subnet.hosts.items():
            if source == lid:
                continue
            pairs += 1
            held, seen = None, set()
            while at not in seen:
                seen.add(at)
                channel = at, tables.get(at, {}).get(lid)
                far, is_switch = subnet.far.get(channel, (None, False))
                if not is_switch:
                    break
                if held:
                    wants.setdefault(held, set()).add(channel)
                used.add(channel)
                held, at = channel, far
            else:
                far = None  # it came back
            lost += far != goal
        destinations.update(used)
    return Walked(pairs, lost, acyclic(wants), destinations)
