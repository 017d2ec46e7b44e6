#!/usr/bin/env python3
"""The server says what the command prints. Usage: answers_test.py BANYAN"""
import json
import shlex

from support import command_output, equal, holds, run, serving

REQUESTS = [
    ("describe", {"fabric": "PGFT(3; 4,4,4; 1,4,2; 1,1,2)"}),
    ("draw", {"fabric": "HyperX(4x3; hosts=2)", "without": ["links=2,seed=1"]}),
    ("path", {"fabric": "4-ary 3-tree", "source": 0, "destination": "h63", "engine": "dmodk", "why": True, "all": 16}),
    ("check", {"fabric": "Torus(4; hosts=2)", "engine": "minhop"}),  # the verdict is no
    ("check", {"fabric": "4-ary 3-tree", "engine": "smodk", "shifts": True}),
    ("load", {"fabric": "4-ary 3-tree", "engine": "dmodk", "traffic": "all-shifts", "channels": True, "round": 5}),
    ("load", {"fabric": "HyperX(4x4; hosts=2)", "engine": "dor", "traffic": "mpigraph", "rates": True}),
    ("order", {"fabric": "4-ary 2-tree", "engine": "dmodk", "hosts": "h[0-5],9", "traffic": "shift:2"}),
    ("assign", {"fabric": "4-ary 2-tree", "traffic": "shift:4", "hash": "crc32", "ways": 1}),
    ("fail", {"fabric": "4-ary 3-tree", "engine": "dmodc", "without": ["switch=s2-3"], "traffic": "shift:7"}),
    ("simulate", {"fabric": "4-ary 2-tree", "engine": "dmodk", "traffic": "uniform", "load": 0.3, "cycles": 2000}),
    ("diff", {"plan": "4-ary 2-tree", "observed": "4-ary 2-tree", "without": ["link=s1-0:5"]}),
    ("route", {"fabric": "4-ary 2-tree", "engine": "updn"}),
    ("engines", {}),
    ("topologies", {}),
    ("patterns", {}),
]


def test_what_is_served_is_what_the_command_prints():
    with serving() as server:
        for verb, body in REQUESTS:
            status, answer = server.verb(verb, **body)
            equal(f"{verb} {body}: {answer}", status, 200)
            words = shlex.split(answer["command"])
            equal("the program", words[0], "banyan")
            code, output, _ = command_output(*words[1:])
            equal(f"{answer['command']}: exit status", answer["status"], code)
            equal(answer["command"], answer["result"], json.loads(output))


def test_the_same_question_is_answered_from_memory():
    with serving() as server:
        body = {"fabric": "4-ary 3-tree", "engine": "dmodk"}
        first, second = server.verb("check", **body), server.verb("check", **body)
        equal("answers", first, second)


def test_refusals_say_what_was_expected():
    with serving() as server:
        for verb, body, status, words in [
            ("describe", {"fabric": "4-ary 3-treee"}, 422, "4-ary 3-tree"),
            ("load", {"fabric": "HyperX(4x4; hosts=2)", "engine": "dmodk"}, 422, "dmodk"),
            ("describe", {"fabrik": "4-ary 3-tree"}, 400, "did you mean 'fabric'"),
            ("describe", {}, 400, "needs 'fabric'"),
            ("describe", {"fabric": {"a": 1}}, 400, "expected a text or a number"),
            ("describ", {"fabric": "4-ary 3-tree"}, 400, "did you mean 'describe'"),
            ("describe", {"fabric": "a\0b"}, 400, "zero byte"),
        ]:
            found, answer = server.verb(verb, **body)
            equal(f"{verb} {body}", found, status)
            text = answer.get("error", "") + answer.get("messages", "")
            holds(f"{words!r} in {text!r}", words in text)


def test_files_are_uploaded_and_then_named():
    with serving() as server:
        _, text, _ = command_output("convert", "4-ary 2-tree", "-", "--format", "json")
        status, answer = server.upload("my fabric.json", text)
        equal("upload", status, 200)
        holds(f"the ending is kept: {answer}", answer["file"].endswith("myfabric.json"))
        status, described = server.verb("describe", fabric=answer["file"])
        equal("status", status, 200)
        equal("hosts", described["result"]["hosts"], 16)
        equal("the command names it as it was given", described["command"], "banyan describe --json 'my fabric.json'")
        equal("uploaded again", server.upload("my fabric.json", text)[1], answer)


def test_a_simulation_is_streamed_batch_by_batch():
    body = json.dumps({"fabric": "4-ary 2-tree", "engine": "dmodk", "load": 0.3, "cycles": 4000, "follow": True})
    with serving() as server:
        connection = server.connect()
        connection.request("POST", "/api/simulate?stream", body, server.headers)
        response = connection.getresponse()
        equal("status", response.status, 200)
        lines = [json.loads(line) for line in response.read().splitlines()]
        connection.close()
        equal("batches", len(lines) > 40, True)
        equal("cycles", sum(line["cycles"] for line in lines[:-2]), 4000)
        answer, last = lines[-2]["answer"], lines[-1]
        equal("ending", (last["ending"], last["status"]), ("finished", 0))
        _, output, _ = command_output("simulate", "4-ary 2-tree", "--engine", "dmodk", "--load", "0.3", "--cycles",
                                      "4000", "--json")
        equal("the answer is the same without watching", answer, json.loads(output))


run(globals())
