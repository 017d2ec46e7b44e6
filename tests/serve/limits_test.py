#!/usr/bin/env python3
"""Size, time, memory, the queue, cancellation; nothing is left behind. Usage: limits_test.py BANYAN"""
import json
import os
import signal
import tempfile
import threading
import time

from support import Server, equal, holds, in_background, is_running, run, serving, wait_for

# Takes minutes unless it is ended.
LONG = {"fabric": "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "engine": "dmodk", "load": 0.9, "cycles": 100000000}
SMALL = {"fabric": "4-ary 2-tree"}


def test_too_much_is_not_taken():
    with serving("--upload", "1") as server:
        equal("a file", server.upload("a.json", b"x" * (1 << 20))[0], 200)
        status = 0
        try:
            status = server.upload("a.json", b"x" * ((1 << 20) + 1000))[0]
        except (BrokenPipeError, ConnectionResetError):  # closed before all was sent
            status = 413
        equal("a larger one", status, 413)
        body = json.dumps({"fabric": "x" * 200000})
        equal("a request of 200 kB that is no upload", server.ask("POST", "/api/describe", body)[0], 413)
        equal("it still answers", server.verb("describe", **SMALL)[0], 200)


def test_time_is_limited():
    with serving("--seconds", "1") as server:
        status, answer = server.verb("simulate", **LONG)
        equal(f"{answer}", status, 504)
        wait_for("its process is gone", lambda: not server.children())


def test_memory_is_limited():
    with serving("--memory", "1") as server:
        status, answer = server.verb("load", fabric="3000-ary 2-tree", engine="minhop")
        holds(f"{status} {answer}", status in (422, 500))
        equal("it still answers", server.verb("describe", **SMALL)[0], 200)


def test_what_was_uploaded_longest_ago_gives_way():
    with serving("--upload", "1", "--kept", "4") as server:
        names = [server.upload(f"{i}.json", os.urandom(900_000))[1]["file"] for i in range(6)]
        status, answer = server.verb("describe", fabric=names[0])
        equal("the first is gone", status, 422)
        holds(f"{answer}", "no such file" in answer["messages"])
        _, answer = server.verb("describe", fabric=names[-1])
        holds(f"the last is there: {answer}", "no such file" not in answer["messages"])


def test_a_request_is_cancelled_by_its_name():
    with serving() as server:
        thread, answers = in_background(server.verb, "simulate", headers={"X-Request-Name": "mine"}, **LONG)
        wait_for("it runs", server.children)
        equal("another's name", server.ask("DELETE", "/api/requests/other")[0], 404)
        equal("its own", server.ask("DELETE", "/api/requests/mine")[0], 200)
        thread.join(20)
        equal("it is told", answers[0][0], 409)
        wait_for("its process is gone", lambda: not server.children())


def test_one_who_waits_is_cancelled_too():
    with serving("--running", "1") as server:
        first, _ = in_background(server.verb, "simulate", headers={"X-Request-Name": "first"}, **LONG)
        wait_for("it runs", server.children)
        second, answers = in_background(server.verb, "describe", headers={"X-Request-Name": "second"}, **SMALL)
        wait_for("it waits", lambda: server.ask("DELETE", "/api/requests/second")[0] == 200)
        second.join(20)
        equal("it is told", answers[0][0], 409)
        server.ask("DELETE", "/api/requests/first")
        first.join(20)


def test_who_goes_away_is_worked_for_no_longer():
    with serving() as server:
        for path in ["/api/simulate?stream", "/api/simulate"]:
            connection = server.connect()
            connection.request("POST", path, json.dumps({**LONG, "follow": "stream" in path}), server.headers)
            wait_for("it runs", server.children)
            connection.sock.close()
            connection.close()
            wait_for(f"the process of {path} is gone", lambda: not server.children())


def test_who_waits_is_served_in_turn_and_too_many_are_told():
    with serving("--running", "1", "--waiting", "3") as server:
        busy, _ = in_background(server.verb, "simulate", headers={"X-Request-Name": "busy"}, **LONG)
        wait_for("it runs", server.children)
        order, full = [], []
        lock = threading.Lock()

        def ask(i):
            status, _ = server.verb("describe", fabric=f"{i + 2}-ary 2-tree")
            with lock:
                (order if status == 200 else full).append((i, status))

        threads = [threading.Thread(target=ask, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        wait_for("five are told that it is full", lambda: len(full) == 5)
        equal("how they are told", {status for _, status in full}, {503})
        server.ask("DELETE", "/api/requests/busy")
        for thread in threads:
            thread.join(30)
        busy.join(20)
        equal("three were served", len(order), 3)


def test_nothing_is_left_when_it_ends():
    for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TMPDIR"] = folder
            server = Server()
            del os.environ["TMPDIR"]
            server.upload("a.json", b"x")
            holds("uploads have a folder of their own", os.listdir(folder))
            equal("that only its owner reads", os.stat(os.path.join(folder, os.listdir(folder)[0])).st_mode & 0o77, 0)
            thread, _ = in_background(quietly, server, "simulate", LONG)
            wait_for("it runs", server.children)
            children = server.children()
            begin = time.monotonic()
            server.process.send_signal(how)
            server.process.wait(30)
            wait_for("its commands are gone", lambda: not any(is_running(pid) for pid in children))
            thread.join(30)
            holds("soon", time.monotonic() - begin < 20)
            server.end()
            if how == signal.SIGKILL:  # the next one clears it away
                with serving(env={**os.environ, "TMPDIR": folder}):
                    equal("its own folder alone", len(os.listdir(folder)), 1)
            equal("no files are left", os.listdir(folder), [])


def quietly(server, verb, body):
    try:
        return server.verb(verb, **body)
    except OSError:
        return None
    except Exception:  # the connection ends in the middle of an answer
        return None


run(globals())
