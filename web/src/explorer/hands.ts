// Mouse, wheel and fingers as what they mean. Places are pixels within the element.
export interface Hands {
  zoom(x: number, y: number, by: number): void;
  pan(dx: number, dy: number): void;
  rest(): void;  // after a pan
  click(x: number, y: number): void;
  point(x: number, y: number): void;
  leave(): void;
}

type Place = [number, number];
const steady = 4;  // pixels that a click may travel

export function listenTo(element: HTMLElement, hands: Hands): void {
  const at = (event: MouseEvent): Place => {
    const { left, top } = element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  element.addEventListener("wheel", (event) => {
    event.preventDefault();
    hands.zoom(...at(event), Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018)));
  }, { passive: false });
  element.addEventListener("dblclick", (event) => hands.zoom(...at(event), 2));
  element.addEventListener("pointerleave", () => hands.leave());

  const held = new Map<number, Place>();
  let travelled = 0;
  element.addEventListener("pointerdown", (event) => {
    if (held.size === 0) travelled = 0;
    held.set(event.pointerId, at(event));
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId), now = at(event);
    if (!before) return hands.point(...now);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    travelled += Math.abs(dx) + Math.abs(dy);
    if (held.size === 2) {
      const other = [...held].find(([id]) => id !== event.pointerId)![1];
      const gap = (p: Place): number => Math.max(10, Math.hypot(p[0] - other[0], p[1] - other[1]));
      hands.zoom((now[0] + other[0]) / 2, (now[1] + other[1]) / 2, gap(now) / gap(before));
    } else if (travelled > steady) {
      hands.pan(dx, dy);
    }
    held.set(event.pointerId, now);
  });
  element.addEventListener("pointerup", (event) => {
    if (!held.delete(event.pointerId)) return;
    travelled > steady ? hands.rest() : hands.click(...at(event));
  });
  element.addEventListener("pointercancel", (event) => held.delete(event.pointerId));
}
