import json
import os
import subprocess

import pytest


def _text(value):
    return "true" if value is True else str(value)


@pytest.fixture(scope="session")
def program():
    """Runs the program with --json, and gives what it said."""

    def run(*arguments, **options):
        command = [os.environ["BANYAN"], *arguments]
        for key, value in options.items():
            for each in value if isinstance(value, list) else [value]:
                command.append("--" + key.replace("_", "-"))
                if each is not True:
                    command.append(_text(each))
        done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout)

    return run
