#!/usr/bin/env python3
"""200 clients at once: every one gets its own answer, and memory stays bounded. Usage: crowd_test.py BANYAN"""
import json
import threading

from support import equal, holds, run, serving, wait_for

CLIENTS, EACH = 200, 2
MOST_MEMORY = 400 << 20


def test_two_hundred_clients_lose_nothing():
    with serving("--running", "2") as server:
        start, lock = threading.Barrier(CLIENTS), threading.Lock()
        answers, failures = {}, []

        def client(number):
            start.wait()
            for i in range(EACH):
                hosts = 2 + (number * EACH + i) % 97  # 97 different questions: the rest comes from memory
                try:
                    connection = server.connect(timeout=240)
                    connection.request("POST", "/api/describe", json.dumps({"fabric": f"FullMesh(3; hosts={hosts})"}),
                                       server.headers)
                    response = connection.getresponse()
                    answer = json.loads(response.read())
                    connection.close()
                    with lock:
                        answers[number, i] = (response.status, hosts, answer["result"]["hosts"])
                except Exception as error:  # whatever it is, it is lost
                    with lock:
                        failures.append((number, i, repr(error)))

        threads = [threading.Thread(target=client, args=(n,)) for n in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(280)
        equal("lost", failures, [])
        equal("answers", len(answers), CLIENTS * EACH)
        wrong = [a for a in answers.values() if a[0] != 200 or a[2] != 3 * a[1]]
        equal("wrong", wrong, [])
        holds(f"memory: {server.memory() >> 20} MiB", server.memory() < MOST_MEMORY)
        wait_for("no process is left", lambda: not server.children())


def test_large_answers_do_not_pile_up():
    with serving("--upload", "8", "--kept", "32") as server:
        for links in range(1, 30):  # 1.2 MB each, all different
            status, _ = server.verb("draw", fabric="PGFT(3; 18,18,36; 1,18,18; 1,1,1)", without=[f"links={links},seed=1"])
            equal("status", status, 200)
        holds(f"memory: {server.memory('VmRSS') >> 20} MiB", server.memory("VmRSS") < MOST_MEMORY)


run(globals())
