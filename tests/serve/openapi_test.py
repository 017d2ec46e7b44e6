#!/usr/bin/env python3
"""docs/openapi.json says what is served, no more and no less. Usage: openapi_test.py BANYAN"""
import json
import re
from pathlib import Path

from support import command_output, equal, holds, run, serving


def test_the_description_is_that_of_the_server():
    with serving() as server:
        _, _, text = server.ask("GET", "/api/openapi.json")
        equal("what is served is the file", json.loads(text), json.loads(Path("docs/openapi.json").read_text("utf-8")))
        document = json.loads(text)
        served = {verb["verb"]: verb for verb in json.loads(server.ask("GET", "/api/verbs")[2])}
        described = {path[5:]: item["post"] for path, item in document["paths"].items()
                     if "post" in item and path != "/api/files"}
        equal("verbs", sorted(described), sorted(served))
        for name, operation in described.items():
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            equal(f"keys of {name}", sorted(schema["properties"]),
                  sorted(served[name]["arguments"] + served[name]["options"]))
            equal(f"what {name} needs", schema["required"], served[name]["arguments"])
            holds(f"{name}: every key is explained", all(p["description"] for p in schema["properties"].values()))


def test_every_option_served_is_one_of_the_command():
    with serving() as server:
        for verb in json.loads(server.ask("GET", "/api/verbs")[2]):
            _, text, _ = command_output(verb["verb"], "--help")
            known = set(re.findall(r"--([a-z-]+)", text))
            missing = [option for option in verb["options"] if option.replace("_", "-") not in known]
            equal(f"options of {verb['verb']} that the command does not have", missing, [])


def test_references_lead_somewhere():
    text = Path("docs/openapi.json").read_text("utf-8")
    document = json.loads(text)
    for reference in set(re.findall(r'"\$ref": "#/([^"]+)"', text)):
        at = document
        for part in reference.split("/"):
            holds(f"{reference} is there", part in at)
            at = at[part]


run(globals())
