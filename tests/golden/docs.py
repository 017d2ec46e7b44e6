#!/usr/bin/env python3
"""The lists in README.md and docs/, docs/openapi.json and web/src/base/answers.ts are made from what the program
lists: docs.py BANYAN [--write]. Between <!-- answer VERB --> or <!-- answer VERB --OPTION --> and <!-- end --> stands
the table of an answer's keys."""
import glob
import json
import re
import subprocess
import sys

banyan, write = sys.argv[1], "--write" in sys.argv


def listed(verb):
    return json.loads(subprocess.check_output([banyan, verb, "--json"]))


openapi_text = subprocess.check_output([banyan, "openapi"], encoding="utf-8")
openapi = json.loads(openapi_text)
engines = listed("engines")["engines"]
families = listed("topologies")["topologies"]
traffic = listed("patterns")


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def fill(text, name, content):
    """What stands between <!-- NAME --> and <!-- end -->."""
    return re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m: m[1] + content + m[2], text, flags=re.S)


def count(text, what, number):
    words = what.replace(" ", r"\s+")
    text, found = re.subn(rf"\b\d+(\s+{words})\b", rf"{number}\1", text)
    if not found:
        sys.exit(f"README.md does not say how many {what} there are")
    return text


def readme(text):
    text = count(text, "families of fabrics", len(families))
    text = count(text, "engines", len(engines))
    return count(text, "patterns and collectives", len(traffic["patterns"]) + len(traffic["collectives"]))


def engines_page(text):
    rows = [[f"[`{e['name']}`](#{anchor(text, e['name'])})", e["summary"], e["source"]] for e in engines]
    return fill(text, "engines", table(["engine", "what it routes and how", "source"], rows))


def anchor(text, name):
    """Of the section whose heading names the engine."""
    for heading in re.findall(r"^### (.*)$", text, flags=re.M):
        if name in heading.split(", "):
            return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")
    sys.exit(f"docs/engines.md has no section for {name}")


def answers():
    """The schema of every answer, by the command that prints it."""
    out = {}
    for path, item in openapi["paths"].items():
        content = item.get("post", {}).get("responses", {}).get("200", {}).get("content")
        if not content or path == "/api/files":
            continue
        result = content["application/json"]["schema"]["allOf"][1]["properties"]["result"]
        for schema in result.get("anyOf", [result]):
            out[schema["title"]] = schema
    return out


def keys(schema, before="", seen=None):
    """Rows of a table: key, unit, meaning; those of objects with the key of the object before them."""
    seen = {} if seen is None else seen
    for name, field in schema["properties"].items():
        inner, brackets = field, ""
        while inner.get("type") == "array":
            inner, brackets = inner["items"], brackets + "[]"
        key = before + name
        asked = "" if name in schema["required"] else " (where asked for)" if not before else ""
        choices = ": " + ", ".join(f"`{c}`" for c in inner["enum"]) if "enum" in inner else ""
        has_keys = "properties" in inner and "version" not in inner["properties"]  # and is no answer in itself
        first = seen.setdefault(json.dumps(inner.get("properties")), key) if has_keys else key
        alike = "" if first == key else f", with the keys of `{first}`"
        yield [f"`{key}`", field.get("x-unit", ""), (field["description"] + choices + alike + asked).replace("|", "\\|")]
        if has_keys and not alike:
            yield from keys(inner, key + brackets + ".", seen)


def answer_tables(text):
    for title, schema in all_answers.items():
        text = fill(text, f"answer {title}", table(["key", "unit", "meaning"], keys(schema)))
    if marked := set(re.findall(r"<!-- answer (.*?) -->", text)) - all_answers.keys():
        sys.exit(f"no answer is called {', '.join(sorted(marked))}")
    return text


def script_type(schema):
    """A type of TypeScript."""
    if "properties" in schema:
        return "{ " + " ".join(members(schema)) + " }"
    if "enum" in schema:
        return " | ".join(f'"{choice}"' for choice in schema["enum"])
    if schema.get("type") == "array":
        inner = script_type(schema["items"])
        return (f"({inner})" if "|" in inner and "{" not in inner else inner) + "[]"
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " | ".join("number" if t == "integer" else t for t in types)


def members(schema):
    return [f"{name}{'' if name in schema['required'] else '?'}: {script_type(field)};"
            for name, field in schema["properties"].items()]


def script(_):
    lines = ["// What verbs answer, by verb and option. Made by tests/golden/docs.py from `banyan openapi`: do not edit."]
    for title, schema in {"answer head": openapi["components"]["schemas"]["AnswerHead"], **all_answers}.items():
        name = "".join(word.capitalize() for word in re.findall(r"\w+", title))
        extends = " extends AnswerHead" if "allOf" in schema else ""
        lines += [f"export interface {name}{extends} {{", *("  " + member for member in members(schema)), "}"]
    return "\n".join(lines) + "\n"


all_answers = answers()
differ = []
pages = [("docs/openapi.json", lambda _: openapi_text), ("web/src/base/answers.ts", script), ("README.md", readme),
         ("docs/engines.md", engines_page), *((page, answer_tables) for page in sorted(glob.glob("docs/*.md")))]
for file, made in pages:
    with open(file, encoding="utf-8") as f:
        text = f.read()
    if made(text) == text:
        continue
    differ.append(file)
    if write:
        with open(file, "w", encoding="utf-8") as f:
            f.write(made(text))
if differ and not write:
    sys.exit(f"{', '.join(differ)}: not what the program lists; tests/golden/docs.py {banyan} --write mends it")
