#!/usr/bin/env python3
"""docs/openapi.json says what is served, no more and no less. Usage: openapi_test.py BANYAN"""
import json
import re
from pathlib import Path

from support import command_output, equal, holds, run, serving


def test_the_description_is_what_the_verbs_declare():
    _, text, _ = command_output("openapi")
    holds("docs/openapi.json is what 'banyan openapi' prints", Path("docs/openapi.json").read_text("utf-8") == text)
    with serving() as server:
        holds("what is served is the file", server.ask("GET", "/api/openapi.json")[2].decode("utf-8") == text)


def test_every_key_is_explained():
    document = json.loads(Path("docs/openapi.json").read_text("utf-8"))
    for path, item in document["paths"].items():
        if "post" not in item or path == "/api/files":
            continue
        schema = item["post"]["requestBody"]["content"]["application/json"]["schema"]
        holds(f"{path}: every key is explained", all(p["description"] for p in schema["properties"].values()))


def test_nothing_is_served_that_writes_files():
    with serving() as server:
        for verb in json.loads(server.ask("GET", "/api/verbs")[2]):
            files = {"out", "write", "report", "certificate", "recheck"}
            equal(f"files of {verb['verb']}", sorted(files & set(verb["options"])), [])
            holds(f"tables of {verb['verb']}", verb["verb"] not in {"load", "path", "check", "fail", "simulate"} or "tables" in verb["options"])


def test_references_lead_somewhere():
    text = Path("docs/openapi.json").read_text("utf-8")
    document = json.loads(text)
    for reference in set(re.findall(r'"\$ref": "#/([^"]+)"', text)):
        at = document
        for part in reference.split("/"):
            holds(f"{reference} is there", part in at)
            at = at[part]


run(globals())
