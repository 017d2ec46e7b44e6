// The page of a program's run.
import { h } from "../base/dom";
import { counted, duration, number, percent } from "../base/format";
import { sortable } from "../base/table";
import { programCourse, rowsInWords } from "../charts/course";
import { figure, panel } from "./figures";
import { ProgramData } from "./model";
import { header } from "./page";
import { again, section } from "./sections";

function answer(data: ProgramData): string {
  const share = (part: number): string => (data.seconds > 0 ? percent(part / data.seconds) : percent(0));
  const p = data.picture;
  const exposed = data.exposed_share === undefined ? "" : ` Ranks compute nothing in ${percent(data.exposed_share)} of the time.`;
  const held = p.held_seconds > 0 ? ` Of its messages, ${duration(p.held_seconds)} are lost because others share their links.` : "";
  return (
    `It takes ${duration(data.seconds)}; no run could take less than ${duration(data.critical_path_seconds)}.` +
    exposed +
    ` The chain that decides the end computes for ${share(p.computing_seconds)} of the time and waits for messages for ${share(p.message_seconds)}.` +
    held
  );
}

function timeline(data: ProgramData): HTMLElement {
  return figure(
    `What ranks do in the course of time, ${rowsInWords(data.picture.ranks_of_row)}.`,
    h("div", { class: "panels wide", "data-figure": "course" }, panel("", "", (width) => programCourse(data, width))),
  );
}

type Step = ProgramData["picture"]["chain"][number];

export function programPage(data: ProgramData): HTMLElement[] {
  const p = data.picture,
    hasLines = p.chain.some((c) => c.line > 0); // a program that was made has no file
  const sections = [
    section("answer", "The answer", h("p", { class: "answer" }, answer(data)), timeline(data)),
    p.links.length === 0
      ? null
      : section(
          "links",
          "Links that held it up",
          h("p", {}, "Time in which a link was the bottleneck of a message of the chain, times the share of its speed alone that the message did not get."),
          sortable(
            "The worst first",
            [
              { title: "from", isText: true, sort: (l) => l.from },
              { title: "port", isText: true, sort: (l) => l.port },
              { title: "to", isText: true, sort: (l) => l.to },
              { title: "held up", sort: (l) => l.seconds, show: (l) => duration(l.seconds) },
            ],
            p.links,
          ),
        ),
    section(
      "chain",
      "What decided the end",
      h("p", {}, `${counted(p.chain_steps, "step")}, each of which waited for the one before it${p.chain.length < p.chain_steps ? `; here the ${p.chain.length} longest` : ""}.`),
      sortable(
        "In the order of time",
        [
          { title: "begin", sort: (c) => c.begin, show: (c) => duration(c.begin) },
          { title: "lasts", sort: (c) => c.seconds, show: (c) => duration(c.seconds) },
          { title: "rank", sort: (c) => c.rank },
          ...(hasLines ? [{ title: "line", sort: (c: Step) => c.line, show: (c: Step) => (c.line === 0 ? "" : number(c.line)) }] : []),
          { title: "kind", isText: true, sort: (c) => c.kind },
          { title: "operation", isText: true, sort: (c) => c.operation },
        ],
        p.chain,
        20,
      ),
    ),
    again(data.command, data.version, [`${counted(data.operations, "operation")}, ${counted(data.messages, "message")}`]),
  ].filter((x): x is HTMLElement => x !== null);
  const facts = [counted(data.ranks, "rank"), counted(data.messages, "message"), `level ${data.level}`, `Banyan ${data.version}`];
  return [header("Program", data.title, facts, sections), ...sections, h("footer", {}, "Made by Banyan; this file needs nothing else.")];
}
