// Light, dark, or as the system says.
import { h } from "./dom";

const system = matchMedia("(prefers-color-scheme: dark)");

export function themeButton(): HTMLButtonElement {
  const root = document.documentElement;
  const button = h("button", { type: "button", class: "theme" });
  const set = (isDark: boolean): void => {
    root.dataset.theme = isDark ? "dark" : "light";
    button.textContent = isDark ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark ? "Light colours" : "Dark colours");
  };
  button.addEventListener("click", () => set(root.dataset.theme !== "dark"));
  system.addEventListener("change", () => set(system.matches));
  set(system.matches);
  return button;
}
