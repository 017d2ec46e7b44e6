#!/usr/bin/env python3
"""Who may ask, and what for: nothing outside the given folders is read, no other site gets in. Usage: security_test.py BANYAN"""
import json
import os
import socket
import subprocess
import tempfile
from pathlib import Path

from support import BANYAN, Server, command_output, equal, holds, run, serving

SECRET = "the-secret-line"


def refused(server, verb, **body):
    """What it says; never the content of the file."""
    status, answer = server.verb(verb, **body)
    text = json.dumps(answer)
    holds(f"{verb} {body} is refused: {status} {text}", status in (400, 422))
    holds(f"{verb} {body} shows nothing: {text}", SECRET not in text)
    return text


def refused_start(*options, **more):
    """What it says instead of serving."""
    done = subprocess.run([BANYAN, "serve", "--port", "0", *options], capture_output=True, text=True, timeout=20,
                          check=False, **more)
    equal("exit status", done.returncode, 2)
    return done.stderr


def test_only_the_loopback_address_unless_a_token_is_given():
    said = refused_start("--listen", "0.0.0.0")
    holds(said, "--token-file" in said)
    with serving() as server:
        equal("address", server.host, "127.0.0.1")
        with open(f"/proc/{server.process.pid}/net/tcp", encoding="ascii") as file:
            bound = [line.split()[1] for line in file if line.split()[3] == "0A"]
        holds(f"bound to loopback only: {bound}", f"0100007F:{server.port:04X}" in bound)


def test_a_random_token_is_asked_for():
    body = {"fabric": "4-ary 2-tree"}
    with serving() as one, serving() as other:
        holds(f"32 digits: {one.token}", len(one.token) == 32)
        holds("never the same", one.token != other.token)
        equal("its own", one.verb("describe", **body)[0], 200)
        equal("none", one.verb("describe", headers={"Authorization": ""}, **body)[0], 401)
        equal("another's", one.verb("describe", headers=other.headers, **body)[0], 401)
        equal("the page", one.ask("GET", "/", None, {"Authorization": ""})[0], 200)
        for path in ("/api/openapi.json", "/api/verbs"):
            equal(path, one.ask("GET", path, None, {"Authorization": ""})[0], 401)


def test_a_token_comes_from_where_ps_does_not_show_it():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "token")
        file.write_text("from-a-file\n", encoding="ascii")
        file.chmod(0o600)
        environment = {**os.environ, "BANYAN_TOKEN": "from-the-environment"}
        for options, more, token in [(["--token-file", str(file)], {}, "from-a-file"),
                                     ([], {"env": environment}, "from-the-environment"),
                                     (["--token-file", str(file)], {"env": environment}, "from-a-file")]:
            with serving(*options, **more) as server:
                equal("it is not printed", server.token, "...")
                right = {"Authorization": f"Bearer {token}"}
                equal("right", server.verb("describe", headers=right, fabric="4-ary 2-tree")[0], 200)
                equal("wrong", server.verb("describe", fabric="4-ary 2-tree")[0], 401)
        file.chmod(0o640)
        said = refused_start("--token-file", str(file))
        holds(said, "others may read it" in said)
        for text in ("", "two words", "\u00fc"):
            file.write_text(text, encoding="utf-8")
            file.chmod(0o600)
            said = refused_start("--token-file", str(file))
            holds(said, "expected printable" in said)


def test_a_header_that_decides_comes_once():
    with serving() as server:
        host = f"Host: 127.0.0.1:{server.port}\r\n"
        origin = f"Origin: http://127.0.0.1:{server.port}\r\n"
        bearer = f"Authorization: Bearer {server.token}\r\n"
        for headers, status in [(host + bearer, 200), (host + bearer.replace("Bearer", "bearer"), 200), (host + origin + bearer, 200), (bearer, 400),
                                (host + host + bearer, 400), (host + "Host: evil.example\r\n" + bearer, 400),
                                (host + origin + "Origin: http://evil.example\r\n" + bearer, 400),
                                (host + bearer + "Authorization: Bearer x\r\n", 400)]:
            answer = raw(server, f"GET /api/verbs HTTP/1.1\r\n{headers}\r\n".encode())
            holds(f"{headers!r}: {answer[:80]}", answer.startswith(f"HTTP/1.1 {status} ".encode()))


def as_user(user, function):
    """What the function returns, a number, in a process of that user."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        os.write(writing, str(function()).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        out = answer.read()
    os.waitpid(child, 0)
    return int(out)


def write_fabrics(folder):
    """open.json, closed.json, and deep/open.json in a closed folder; their text."""
    os.chmod(folder, 0o755)
    _, text, _ = command_output("convert", "4-ary 2-tree", "-", "--format", "json")
    Path(folder, "deep").mkdir(mode=0o700)
    for name, mode in (("open.json", 0o644), ("closed.json", 0o600), ("deep/open.json", 0o644)):
        Path(folder, name).write_text(text, encoding="utf-8")
        os.chmod(Path(folder, name), mode)
    return text


def reads_own_files(folder):
    """1: who started the server reads his files, and none that he may not. Takes his rights away, then gives them back."""
    with serving("--folder", folder) as server:
        status = lambda path: server.verb("describe", fabric=os.path.join(folder, path))[0]
        paths = ("open.json", "closed.json", "deep/open.json")
        equal("his own", [status(path) for path in paths], [200] * 3)
        os.chmod(Path(folder, "closed.json"), 0o000)
        os.chmod(Path(folder, "deep"), 0o000)
        seen = [status(path) for path in paths]
        os.chmod(Path(folder, "closed.json"), 0o600)
        os.chmod(Path(folder, "deep"), 0o700)
        equal("without the right", seen, [200, 422, 422])
    return 1


def test_users_without_rights_read_what_they_may():
    with tempfile.TemporaryDirectory() as folder:
        if os.geteuid() != 0:
            write_fabrics(folder)
            return reads_own_files(folder)
        os.chown(folder, 65534, 65534)
        equal("as another user", as_user(65534, lambda: write_fabrics(folder) and reads_own_files(folder)), 1)


def test_files_are_read_as_the_user_who_asks_may():
    with tempfile.TemporaryDirectory() as folder:
        text = write_fabrics(folder)
        # Only root can ask as another user. Elsewhere the test above and these are what there is to show.
        others = [(65534, "open.json", 200), (65534, "closed.json", 422), (65534, "deep/open.json", 422)]
        me = os.geteuid()
        with serving("--folder", folder) as server:
            uploaded = server.upload("a.json", text)[1]["file"]
            for user, path, status in [(me, "closed.json", 200), (me, "deep/open.json", 200), (me, uploaded, 200),
                                       *([*others, (65534, uploaded, 200)] if me == 0 else [])]:
                name = path if path == uploaded else os.path.join(folder, path)
                ask = lambda name=name: server.verb("describe", fabric=name)[0]
                seen = ask() if user == me else as_user(user, ask)
                equal(f"user {user} reads {path}", seen, status)


def test_a_token_is_asked_for():
    with serving("--token", "sesame") as server:
        body = {"fabric": "4-ary 2-tree"}
        equal("without", server.verb("describe", headers={"Authorization": ""}, **body)[0], 401)
        equal("wrong", server.verb("describe", headers={"Authorization": "Bearer sesamf"}, **body)[0], 401)
        equal("a part", server.verb("describe", headers={"Authorization": "Bearer ses"}, **body)[0], 401)
        equal("empty", server.verb("describe", headers={"Authorization": "Bearer "}, **body)[0], 401)
        equal("right", server.verb("describe", headers={"Authorization": "Bearer sesame"}, **body)[0], 200)
        none = {"Authorization": ""}
        equal("files too", server.ask("POST", "/api/files?name=a", b"x", none)[0], 401)
        equal("cancelling too", server.ask("DELETE", "/api/requests/a", None, none)[0], 401)


def test_other_sites_do_not_get_in():
    with serving() as server:
        own = f"127.0.0.1:{server.port}"
        body = json.dumps({"fabric": "4-ary 2-tree"})
        for headers, status in [
            ({}, 200),
            ({"Origin": f"http://{own}"}, 200),
            ({"Origin": "http://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            ({"Origin": f"https://{own}"}, 403),
            ({"Host": "evil.example"}, 403),
            ({"Host": f"127.evil.example:{server.port}"}, 403),
            ({"Host": f"localhost:{server.port}"}, 200),
            ({"Host": "127.0.0.1:1@evil.example"}, 400),
            ({"Host": "127.0.0.1@evil.example"}, 400),
            ({"Host": "[::1]evil.example"}, 400),
            ({"Host": "[::1"}, 400),
            ({"Host": f"[::1]:{server.port}"}, 200),
            ({"Sec-Fetch-Site": "cross-site"}, 403),
            ({"Sec-Fetch-Site": "same-origin"}, 200),
        ]:
            equal(f"{headers}", server.ask("POST", "/api/describe", body, headers)[0], status)
        equal("the page too", server.ask("GET", "/", None, {"Host": "evil.example"})[0], 403)


def test_every_answer_has_a_strict_content_policy():
    with serving() as server:
        for method, path in [("GET", "/"), ("POST", "/api/engines"), ("GET", "/nothing"), ("GET", "/api/openapi.json")]:
            _, headers, _ = server.ask(method, path)
            policy = headers.get("Content-Security-Policy", "")
            holds(f"{path}: {policy}", "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy)
            equal("nosniff", headers.get("X-Content-Type-Options"), "nosniff")
            equal("referrer", headers.get("Referrer-Policy"), "no-referrer")
            holds("no foreign origin is allowed", "Access-Control-Allow-Origin" not in headers)


def test_no_file_outside_can_be_read():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        (root / "inside").mkdir()
        (root / "inside2").mkdir()
        secret = root / "secret.json"
        secret.write_text(SECRET, encoding="ascii")
        (root / "inside2" / "secret.csv").write_text(SECRET, encoding="ascii")
        (root / "inside" / "link.json").symlink_to(secret)
        (root / "inside" / "up").symlink_to(root)
        _, text, _ = command_output("convert", "4-ary 2-tree", "-", "--format", "json")
        (root / "inside" / "good.json").write_text(text, encoding="utf-8")
        with serving("--folder", str(root / "inside")) as server:
            equal("what may be read is", server.verb("describe", fabric=str(root / "inside" / "good.json"))[0], 200)
            for path in [
                str(secret), "/etc/passwd", "../../../../../../etc/passwd", str(root / "inside" / ".." / "secret.json"),
                str(root / "inside" / "link.json"), str(root / "inside" / "up" / "secret.json"),
                str(root / "inside2" / "secret.csv"), f"/proc/{os.getpid()}/environ", "/dev/stdin", "file:///etc/passwd", "/etc",
            ]:
                for verb, body in [
                    ("describe", {"fabric": path}),
                    ("draw", {"fabric": path}),
                    ("diff", {"plan": path, "observed": "4-ary 2-tree"}),
                    ("load", {"fabric": "4-ary 2-tree", "engine": "dmodk", "traffic": f"demand:{path}"}),
                    ("load", {"fabric": "4-ary 2-tree", "engine": "dmodk", "traffic": f"demand:file={path}"}),
                    ("load", {"fabric": "4-ary 2-tree", "engine": "dmodk", "traffic": "ring", "placement": f"file:{path}"}),
                    ("load", {"fabric": "4-ary 2-tree", "tables": path}),
                    ("check", {"fabric": "4-ary 2-tree", "tables": path}),
                    ("fail", {"fabric": "4-ary 2-tree", "engine": "dmodc", "counters": path}),
                    ("load", {"fabric": "4-ary 2-tree", "engine": "dmodk", "job": [f"ranks=4; traffic=demand:{path}"]}),
                    ("fail", {"fabric": "4-ary 2-tree", "engine": "dmodk", "without": [f"file={path}"]}),
                    ("route", {"fabric": "4-ary 2-tree", "engine": f"updn:roots={path}"}),
                ]:
                    refused(server, verb, **body)


def test_what_writes_or_names_files_is_not_offered():
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "written")
        for verb, body in [
            ("route", {"fabric": "4-ary 2-tree", "engine": "updn", "out": target}),
            ("check", {"fabric": "4-ary 2-tree", "engine": "updn", "certificate": target}),
            ("convert", {"in": "4-ary 2-tree", "out": target}),
            ("study", {"file": "/etc/passwd"}),
            ("reproduce", {"paper": "mahapatra"}),
            ("serve", {}),
            ("describe", {"fabric": "4-ary 2-tree", "": "x"}),
        ]:
            equal(f"{verb} {body}", server.verb(verb, **body)[0], 400)
        holds("nothing was written", not os.path.exists(target))


def test_arguments_cannot_become_options():
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "written")
        for text in [f"--certificate={target}", "--help", "-h", f"--out {target}", "--version"]:
            refused(server, "describe", fabric=text)
            refused(server, "check", fabric="4-ary 2-tree", engine=f"{text}")
            refused(server, "path", fabric="4-ary 2-tree", source=text, destination=text, engine="dmodk")
        holds("nothing was written", not os.path.exists(target))
        # A shell sees what is printed for people: quotes must hold.
        _, answer = server.verb("describe", fabric="$(touch x)'; touch x #")
        holds(answer["command"], answer["command"].startswith("banyan describe --json '"))


def test_the_name_of_an_upload_leads_nowhere():
    with serving() as server:
        for name in ["../../../tmp/evil", "/etc/passwd", "..\\..\\evil", "....", "a" * 5000, "\u202e\u0000x", ""]:
            status, answer = server.upload(name, b"x")
            equal(name, status, 200)
            holds(answer["file"], "/" not in answer["file"] and "\\" not in answer["file"]
                  and ".." not in answer["file"] and len(answer["file"]) < 100)


def raw(server, data):
    with socket.create_connection((server.host, server.port), timeout=2) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        out = b""
        while piece := connection.recv(65536):
            out += piece
        return out


def test_malformed_requests_are_refused_and_nothing_else():
    with serving() as server:
        host = f"Host: 127.0.0.1:{server.port}\r\n".encode()
        for data in [
            b"", b"\r\n\r\n", b"nonsense\r\n\r\n", b"\x00\xff" * 100, b"GET\r\n\r\n",
            b"GET / HTTP/9.9\r\n" + host + b"\r\n",
            b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n" + host + b"\r\n",
            b"GET / HTTP/1.1\r\n" + b"X: " + b"a" * 20000 + b"\r\n" + host + b"\r\n",
            b"POST /api/describe HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n{}",
            b"POST /api/describe HTTP/1.1\r\n" + host + b"Content-Length: 99999999999999999999\r\n\r\n{}",
            b"POST /api/describe HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
            b"GET /../../etc/passwd HTTP/1.1\r\n" + host + b"\r\n",
            b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + host + b"\r\n",
            b"BREW /api/describe HTTP/1.1\r\n" + host + b"\r\n",
        ]:
            answer = raw(server, data)
            holds(f"{data[:60]!r}: {answer[:60]!r}", b" 200 " not in answer[:20] and b"root:" not in answer)
        for body in [b"", b"[]", b"nul", b'{"fabric":', b"\xff\xfe", b"[" * 60000, b'"x"', b'{"fabric": 1e999}']:
            status = server.ask("POST", "/api/describe", body)[0]
            holds(f"{body[:20]!r}: {status}", status in (400, 422))
        equal("it still answers", server.verb("describe", fabric="4-ary 2-tree")[0], 200)
        equal("and still lives", server.process.poll(), None)


def test_a_port_that_is_taken_is_told():
    server = Server()
    try:
        done = subprocess.run([BANYAN, "serve", "--port", str(server.port)], capture_output=True, text=True, timeout=20,
                              check=False)
        equal("exit status", done.returncode, 2)
        holds(done.stderr, "cannot be had" in done.stderr)
    finally:
        server.end()


def raw(server, text):
    """All that comes back for these bytes."""
    with socket.create_connection((server.host, server.port), timeout=2) as connection:
        out = b""
        try:
            connection.sendall(text)
            while piece := connection.recv(65536):
                out += piece
        except OSError:
            pass  # it waits for more, or has closed what it has not read
        return out


def test_the_body_of_a_refused_request_is_no_request():
    inner = b"POST /api/engines HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}"
    with serving() as server:
        for head in (b"POST /api/engines HTTP/1.1\r\nOrigin: http://evil.example\r\n", b"GET /icon.svg HTTP/1.1\r\n"):
            answer = raw(server, head + b"Host: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % len(inner) + inner)
            holds(f"one answer at most: {answer}", answer.count(b"HTTP/1.1 ") <= 1)
            holds(f"no engines in {answer[:200]}", b"dmodk" not in answer)


def test_a_body_is_counted_as_it_comes():
    with serving() as server:
        before = server.memory()
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        raw(server, b"POST /api/engines HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + server.token.encode()
            + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + 1000 * piece
            + b"0\r\n\r\n")
        holds("64 MB were not kept", server.memory() < before + (32 << 20))
        equal("it goes on", server.verb("engines")[0], 200)


def test_folders_are_those_of_the_place_where_it_was_started():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "fabric.csv").write_text(command_output("convert", "4-ary 2-tree", "-", "--format", "csv")[1], "utf-8")
        with serving("--folder", os.path.relpath(folder)) as server:
            equal("a relative folder", server.verb("describe", fabric=str(Path(folder, "fabric.csv")))[0], 200)
        done = subprocess.run([BANYAN, "serve", "--port", "0", "--folder", f"{folder}/none"], capture_output=True,
                              text=True, timeout=20, check=False)
        equal("one that is not there", done.returncode, 2)


def test_uploads_are_not_listed():
    with serving() as server:
        server.upload("theirs.csv", b"something")
        status, answer = server.verb("load", fabric="HyperX(2x2; hosts=1)", engine="dfsssp:demands=.", traffic="ring")
        equal("a folder of demands", status, 422)
        holds(json.dumps(answer), "theirs" not in json.dumps(answer))


run(globals())
