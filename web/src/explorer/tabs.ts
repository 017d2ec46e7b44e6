// The tabs of the panel, as readers of the screen expect them: arrows go from one to the next.
import { h } from "../base/dom";
import { button } from "./parts";
import { Tab, tabs } from "./state";

const titles: Record<Tab, string> = { fabric: "Fabric", load: "Load", path: "Paths", break: "Break", counters: "Counters", prove: "Prove", simulate: "Simulate", time: "Time", program: "Program" };

export class TabList {
  readonly element = h("div", { class: "tabs", role: "tablist", "aria-label": "Views" });
  private readonly buttons = new Map<Tab, HTMLButtonElement>();

  constructor(private readonly choose: (tab: Tab) => void) {
    for (const tab of tabs) {
      const one = button(titles[tab], () => this.choose(tab), { role: "tab", id: `tab-${tab}`, "aria-controls": "panel" });
      this.buttons.set(tab, one);
      this.element.append(one);
    }
    this.element.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const now = tabs.findIndex((tab) => this.buttons.get(tab) === document.activeElement);
      if (by === 0 || now < 0) return;
      const next = tabs[(now + by + tabs.length) % tabs.length]!;
      this.choose(next);
      this.buttons.get(next)!.focus();
    });
  }

  show(selected: Tab): void {
    for (const [tab, one] of this.buttons) {
      one.setAttribute("aria-selected", String(tab === selected));
      one.tabIndex = tab === selected ? 0 : -1;
    }
  }
}
