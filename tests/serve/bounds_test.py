#!/usr/bin/env python3
"""What strangers and crowds can take: headers, connections, memory, turns. Usage: bounds_test.py BANYAN"""
import json
import os
import signal
import socket
import threading

from support import Server, equal, holds, in_background, run, serving, wait_for

LONG = {"fabric": "PGFT(3; 18,18,6; 1,18,3; 1,1,6)", "engine": "dmodk", "load": 0.9, "cycles": 100000000}
SMALL = {"fabric": "4-ary 2-tree"}
MIB = 1 << 20


def connected(server, text=b""):
    out = socket.create_connection((server.host, server.port), timeout=30)
    out.sendall(text)
    return out


def start_of(server, verb, length, more=""):
    return (f"POST /api/{verb} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {server.token}\r\n{more}"
            f"Content-Length: {length}\r\n\r\n").encode()


def sent_until_refused(connection, piece, most):
    """How many bytes it took, and what it answered."""
    taken = 0
    try:
        while taken < most:
            connection.sendall(piece)
            taken += len(piece)
    except OSError:  # it has closed
        pass
    try:
        return taken, connection.recv(100)
    except OSError:
        return taken, b""


def test_headers_are_few_and_short():
    with serving() as server:
        before = server.memory()
        for piece in (b"X-Header: y\r\n" * 1000, b"X-Header: " + b"y" * 4000 + b"\r\n", b"y" * 4096):
            connection = connected(server, b"GET / HTTP/1.1\r\n")
            taken, answer = sent_until_refused(connection, piece, 977 * MIB)
            holds(f"{taken} bytes of {piece[:20]}", taken < 32 * MIB)
            holds(f"{answer}", answer == b"" or b" 431 " in answer)
            connection.close()
        holds("nothing of it was kept", server.memory() < before + 32 * MIB)
        status, _, _ = server.ask("GET", "/", None, {f"X-{i}": "y" for i in range(60)})
        equal("sixty are not too many", status, 200)


def test_who_drips_keeps_nobody_out():
    with serving() as server:
        slow = [connected(server, b"G") for _ in range(700)]  # more than it has room for
        equal("another is answered", server.verb("describe", **SMALL)[0], 200)
        for letter in b"ET / HTTP/":  # three hundred go on, a byte at a time
            for connection in slow[-300:]:
                connection.sendall(bytes([letter]))
            equal("and again", server.verb("describe", **SMALL)[0], 200)
        holds("the oldest gave way", slow[0].recv(10) == b"")
        for connection in slow:
            connection.close()


def test_who_does_not_read_the_page_keeps_nobody_out():
    with serving("--running", "1", "--waiting", "1") as server:  # 34 threads
        lazy = []
        for _ in range(60):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            connection.connect((server.host, server.port))
            connection.sendall(b"GET /explorer.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            lazy.append(connection)
        equal("another is answered", server.verb("describe", **SMALL)[0], 200)
        for connection in lazy:
            connection.close()


def test_it_ends_whoever_is_there():
    for how in (signal.SIGINT, signal.SIGTERM):
        server = Server()
        slow = [connected(server, b"G") for _ in range(5)]
        slow += [connected(server, start_of(server, "files?name=a", 1000) + b"x") for _ in range(5)]
        equal("it has seen them", server.verb("describe", **SMALL)[0], 200)
        server.process.send_signal(how)
        equal("exit status", server.process.wait(30), 0)
        server.end()
        for connection in slow:
            connection.close()


def test_uploads_share_one_bound():
    with serving("--upload", "31", "--kept", "128") as server:
        before = server.memory()
        most, refused, held = os.urandom(MIB) * 30, 0, []
        for _ in range(60):  # 60 times 31 MiB
            connection = connected(server, start_of(server, "files?name=a", 31 * MIB))
            taken, answer = 0, b""
            try:
                connection.sendall(most)
                connection.setblocking(False)
                answer = connection.recv(100)
            except BlockingIOError:
                pass  # it waits for the rest
            except OSError:
                answer = b" 503 "
            refused += b" 503 " in answer
            held.append(connection)
        holds(f"{refused} were refused", refused >= 56)
        holds(f"{(server.memory() - before) >> 20} MiB", server.memory() < before + 200 * MIB)
        for connection in held:
            connection.close()
        wait_for("there is room again", lambda: server.upload("b", b"x" * 1000)[0] == 200)


def test_who_does_not_read_answers_shares_it_too():
    with serving("--upload", "8", "--kept", "32") as server:
        before, lazy = server.memory(), []
        for links in range(1, 41):  # 1.2 MB each, all different
            body = json.dumps({"fabric": "PGFT(3; 18,18,36; 1,18,18; 1,1,1)", "without": [f"links={links},seed=1"]})
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            connection.connect((server.host, server.port))
            connection.sendall(start_of(server, "draw", len(body)) + body.encode())
            connection.settimeout(120)
            connection.recv(12)
            lazy.append(connection)
        holds(f"{(server.memory() - before) >> 20} MiB", server.memory() < before + 128 * MIB)
        for connection in lazy:
            connection.close()
        wait_for("there is room again", lambda: server.verb("describe", **SMALL)[0] == 200)


def test_each_client_has_its_turn():
    with serving("--running", "1") as server:
        name = lambda i: {"X-Request-Name": f"many-{i}", "X-Client": "one"}
        many = [in_background(server.verb, "simulate", headers=name(0), **LONG)]
        wait_for("it runs", server.children)
        for i in range(1, 20):
            many.append(in_background(server.verb, "simulate", headers=name(i), **LONG))
        threads = lambda: len(os.listdir(f"/proc/{server.process.pid}/task"))
        wait_for("they wait", lambda: threads() >= 21)
        other, answer = in_background(server.verb, "describe", headers={"X-Client": "other"}, **SMALL)
        wait_for("it waits too", lambda: threads() >= 22)
        cancelled = 0
        while not answer and cancelled < 20:  # one after another has its place; the other's is due at once
            before = server.children()
            wait_for("one is cancelled", lambda: server.ask("DELETE", f"/api/requests/many-{cancelled}")[0] == 200)
            wait_for("the next runs", lambda: answer or server.children() - before)
            cancelled += 1
        wait_for("the other is answered", lambda: answer)
        equal("the other's answer", answer[0][0], 200)
        holds(f"{cancelled} of twenty that had waited longer were over", cancelled <= 3)
        for i in range(cancelled, 20):
            wait_for("cancelled", lambda i=i: server.ask("DELETE", f"/api/requests/many-{i}")[0] == 200)
        for thread, _ in [*many, (other, answer)]:
            thread.join(30)


def test_who_leaves_at_once_disturbs_nobody():
    with serving() as server:
        body = start_of(server, "describe", 10, "Expect: 100-continue\r\n")
        done = threading.Event()

        def strangers():
            while not done.is_set():
                try:
                    connected(server, body).close()
                except OSError:
                    pass

        thread = threading.Thread(target=strangers)
        thread.start()
        try:
            for _ in range(20):
                equal("it answers among those who leave", server.verb("describe", **SMALL)[0], 200)
        finally:
            done.set()
            thread.join()


run(globals())
