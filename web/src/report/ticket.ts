// The page for a ticket: what is broken, what it costs, what to do.
import { h } from "../base/dom";
import { counted } from "../base/format";
import { sortable } from "../base/table";
import { fabricFigure } from "./drawing";
import { TicketData } from "./model";
import { header } from "./page";
import { again, section } from "./sections";

const list = (kind: "ul" | "ol", items: string[]): HTMLElement | null =>
  items.length === 0 ? null : h(kind, {}, ...items.map((text) => h("li", {}, text)));

export function ticketPage(ticket: TicketData): HTMLElement[] {
  const { hosts, switches } = ticket.drawing.map.whole;
  const sections = [
    section("answer", "The answer", h("p", { class: "answer" }, ticket.answer)),
    section("broken", "What is broken", list("ul", ticket.broken)),
    section("steps", "What to do, in this order", list("ol", ticket.steps)),
    section(
      "costs",
      "What it costs",
      ticket.costs.length === 0
        ? null
        : sortable(
            "Before and after",
            [
              { title: "what", isText: true, sort: (c) => c.what },
              { title: "before", isText: true, sort: (c) => c.before },
              { title: "after", isText: true, sort: (c) => c.after },
            ],
            ticket.costs,
          ),
    ),
    section("map", "Where it is", fabricFigure(ticket.drawing)),
    again(ticket.command, ticket.version, [`${counted(hosts, "host")}, ${counted(switches, "switch", "switches")}`]),
  ].filter((x): x is HTMLElement => x !== null);
  const facts = [counted(ticket.broken.length, "thing is broken", "things are broken"), `Banyan ${ticket.version}`];
  return [
    header("Ticket", ticket.title, facts, sections),
    ...sections,
    h("footer", {}, "Made by Banyan; this file needs nothing else."),
  ];
}
