#!/usr/bin/env python3
"""Man pages and completions, as `banyan manual` writes them: they name every verb and option, and the tools read them.
Usage: manual_test.py PROGRAM"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

program = str(Path(sys.argv[1]).resolve())


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def expect(truth, what):
    if not truth:
        sys.exit(f"it does not hold: {what}")


def options_in_help(verb):
    """What `banyan VERB --help` lists."""
    words = [line.split()[0] for line in run(program, verb, "--help").stdout.splitlines() if line.startswith("  -")]
    return {name for word in words for name in word.split(",") if name.startswith("--")}


def completed(script, *words):
    """What bash offers for the last of these words."""
    listed = " ".join(f"'{word}'" for word in words)
    text = f"source '{script}'; COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _banyan; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return set(run("bash", "-c", text).stdout.split())


def fish_completed(script, line):
    """What fish offers behind a line."""
    said = run("fish", "--no-config", "-c", f"source '{script}'; complete -C '{line}'").stdout
    return {row.split("\t")[0] for row in said.splitlines() if row}


ZSH = """
_describe() { for each in ${@[2,-1]}; do [[ $each = -- ]] || print -l -- ${${(P)each}%%:*}; done }
_arguments() { print -l -- ${@%%\\[*} }
words=(WORDS) CURRENT=${#words}
source SCRIPT
"""


def zsh_completed(script, *words):
    """What our function hands to zsh for the last of these words: all of it, which zsh narrows down."""
    text = ZSH.replace("WORDS", " ".join(f"'{word}'" for word in words)).replace("SCRIPT", f"'{script}'")
    return set(run("zsh", "-f", "-c", text).stdout.split())


def other_shells(zsh, fish, verbs):
    if shutil.which("fish"):
        expect(fish_completed(fish, "banyan ") >= verbs | {"help"}, f"fish: verbs: {fish_completed(fish, 'banyan ')}")
        expect(fish_completed(fish, "banyan help simu") == {"simulate"}, "fish: help")
        expect(fish_completed(fish, "banyan load x --engine dmod") == {"dmodk", "dmodc"}, "fish: engines")
        expect(fish_completed(fish, "banyan load x --traf") == {"--traffic"}, "fish: options")
        expect({"--help", "--version"} <= fish_completed(fish, "banyan --"), "fish: --help, --version")
    if shutil.which("zsh"):
        expect(zsh_completed(zsh, "banyan", "") == verbs | {"help", "--help", "--version"}, "zsh: verbs")
        expect(zsh_completed(zsh, "banyan", "help", "simu") == verbs | {"help"}, "zsh: help")
        expect(options_in_help("load") <= zsh_completed(zsh, "banyan", "load", "x", "--"), "zsh: options")


def main():
    with tempfile.TemporaryDirectory() as folder:
        share = Path(folder) / "share"
        run(program, "manual", share)
        bash = share / "bash-completion/completions/banyan"
        zsh, fish = share / "zsh/site-functions/_banyan", share / "fish/vendor_completions.d/banyan.fish"
        verbs = completed(bash, "banyan", "") - {"help", "--help", "--version"}
        expect({"load", "check", "simulate", "serve"} <= verbs and "openapi" not in verbs, verbs)
        for verb in sorted(verbs):
            page = share / f"man/man1/banyan-{verb}.1"
            known, text = options_in_help(verb), page.read_text()
            expect(completed(bash, "banyan", verb, "--") == known, f"bash: options of {verb}: {completed(bash, 'banyan', verb, '--') ^ known}")
            for option in known:
                expect(option.replace("-", "\\-") in text, f"{page.name} has {option}")
                expect(f"'{option}[" in zsh.read_text(), f"zsh: {option}")
                expect(f"-l {option[2:]}" in fish.read_text(), f"fish: {option}")
        expect(completed(bash, "banyan", "load", "4-ary 3-tree", "--engine", "dmod") == {"dmodk", "dmodc"}, "engines")
        expect("permutation" in completed(bash, "banyan", "load", "x", "--traffic", "perm"), "patterns")
        expect(completed(bash, "banyan", "help", "simu") == {"simulate"}, "help")
        if shutil.which("groff"):
            for page in sorted(share.glob("man/man1/*.1")):
                said = run("groff", "-man", "-ww", "-Tutf8", "-z", page).stderr
                expect(not said, f"{page.name}: {said}")
        for shell, file in (("bash", bash), ("zsh", zsh), ("fish", fish)):
            if shutil.which(shell):
                run(shell, "-n", file)
        other_shells(zsh, fish, verbs)
        print(f"{len(verbs)} verbs")


def misspelt():
    """What was meant is said."""
    for words, expected in ((["--hlep"], "--help"), (["laod"], "load"), (["--versoin"], "--version"), (["load", "x", "--sampels", "3"], "--samples")):
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        expect(done.returncode == 2 and f"did you mean '{expected}'?" in done.stderr, f"{words}: {done.stderr}")
    expect(json.loads(run(program, "engines", "--json").stdout)["engines"], "engines")
    expect("Usage: banyan load" in run(program, "help", "load").stdout, "help load")


main()
misspelt()
