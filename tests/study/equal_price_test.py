#!/usr/bin/env python3
"""The studies of seven fabrics compare machines of one price: `size` proposes each of them, and their prices for a host
are within 6 % of each other and within what the file says. Usage: equal_price_test.py BANYAN"""
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


# The ports of the switches that each fabric is made of, and, for a tapered tree, the taper.
SWITCHES = {
    "low-diameter-1000.toml": {"PGFT": (24, 3), "HyperX": (36, 1), "Dragonfly": (32, 1), "Dragonfly+": (32, 2), "SlimFly": (24, 1),
                               "PolarFly": (24, 1), "Xpander": (32, 1)},
    "low-diameter-10000.toml": {"PGFT": (48, 3), "HyperX": (64, 1), "Dragonfly": (48, 1), "Dragonfly+": (48, 2), "SlimFly": (48, 1),
                                "PolarFly": (48, 1), "Xpander": (48, 1)},
}


def price_of_a_host(banyan, least, fabric, ports, taper):
    """In a hall for `least` hosts, which is the same for all."""
    family, hosts = fabric.split("(")[0], json.loads(said(banyan, "describe", fabric, "--json"))["hosts"]
    hall = json.loads(said(banyan, "size", "--family", "FullMesh", "--hosts", str(least), "--ports", "512", "--json"))
    answer = said(banyan, "size", "--family", family, "--hosts", str(hosts), "--hosts-at-most", str(hosts), "--ports", str(ports),
                  "--taper", str(taper), "--fill", "0.5", "--racks-per-row", str(hall["racks_per_row"]), "--limit", "1000000", "--json")
    prices = [c["price"] for c in json.loads(answer)["candidates"] if c["fabric"] == fabric]
    assert prices, f"size proposes no {fabric} with switches of {ports} ports"
    return prices[0] / hosts


def said(banyan, *words):
    return subprocess.run([banyan, *words], check=True, capture_output=True, text=True).stdout


def check(banyan, name):
    text = (EXAMPLES / name).read_text()
    low, high = (float(x.replace(",", "")) for x in re.search(r"from ([\d,]+) to ([\d,]+) for each host", text).groups())
    study = tomllib.loads(text)
    assert len(study["fabrics"]) == 7 and len(study["traffic"]) == 5 and len(study["without"]) == 2, name
    prices = {}
    for fabric in study["fabrics"]:
        notation = fabric["fabric"]
        prices[notation] = round(price_of_a_host(banyan, study["ranks"], notation, *SWITCHES[name][notation.split("(")[0]]))
    assert max(prices.values()) <= 1.06 * min(prices.values()), f"{name}: {prices}"
    assert (low, high) == (min(prices.values()), max(prices.values())), f"{name} says {low} to {high}: {prices}"


for file in SWITCHES:
    check(sys.argv[1], file)
print("both studies compare at one price")
