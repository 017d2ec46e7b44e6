// Something to draw on: a canvas, or the text of an SVG. What is drawn is the same.
export interface Style {
  stroke?: string; width?: number; fill?: string; dash?: number[]; alpha?: number;
}
export interface TextStyle { fill: string; size: number; anchor?: "start" | "middle" | "end"; weight?: number; halo?: string }
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  circle(x: number, y: number, radius: number): void;
}
export interface Surface {
  shape(style: Style, draw: (pen: Pen) => void): void;
  text(x: number, y: number, text: string, style: TextStyle): void;
}

export const fontFamily = 'system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';

export class CanvasSurface implements Surface {
  constructor(private readonly c: CanvasRenderingContext2D) {}
  shape(style: Style, draw: (pen: Pen) => void): void {
    const { c } = this;
    c.beginPath();
    draw({
      moveTo: (x, y) => c.moveTo(x, y), lineTo: (x, y) => c.lineTo(x, y),
      quadraticCurveTo: (cx, cy, x, y) => c.quadraticCurveTo(cx, cy, x, y),
      rect: (x, y, w, h) => c.rect(x, y, w, h),
      circle: (x, y, r) => { c.moveTo(x + r, y); c.arc(x, y, r, 0, 2 * Math.PI); },
    });
    c.globalAlpha = style.alpha ?? 1;
    if (style.fill) { c.fillStyle = style.fill; c.fill(); }
    if (style.stroke) {
      c.strokeStyle = style.stroke;
      c.lineWidth = style.width ?? 1;
      c.setLineDash(style.dash ?? []);
      c.stroke();
    }
    c.globalAlpha = 1;
  }
  text(x: number, y: number, text: string, style: TextStyle): void {
    const { c } = this;
    c.font = `${style.weight ?? 400} ${style.size}px ${fontFamily}`;
    c.textAlign = style.anchor === "middle" ? "center" : style.anchor ?? "start";
    c.textBaseline = "middle";
    if (style.halo) {
      c.setLineDash([]);
      c.lineJoin = "round";
      c.strokeStyle = style.halo;
      c.lineWidth = 4;
      c.strokeText(text, x, y);
    }
    c.fillStyle = style.fill;
    c.fillText(text, x, y);
  }
}

const f = (v: number): string => String(Math.round(v * 100) / 100);
const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

export class SvgSurface implements Surface {
  private readonly parts: string[] = [];
  constructor(private readonly width: number, private readonly height: number, private readonly paper: string) {}

  shape(style: Style, draw: (pen: Pen) => void): void {
    const d: string[] = [];
    draw({
      moveTo: (x, y) => d.push(`M${f(x)} ${f(y)}`), lineTo: (x, y) => d.push(`L${f(x)} ${f(y)}`),
      quadraticCurveTo: (cx, cy, x, y) => d.push(`Q${f(cx)} ${f(cy)} ${f(x)} ${f(y)}`),
      rect: (x, y, w, h) => d.push(`M${f(x)} ${f(y)}h${f(w)}v${f(h)}h${f(-w)}z`),
      circle: (x, y, r) => d.push(`M${f(x - r)} ${f(y)}a${f(r)} ${f(r)} 0 1 0 ${f(2 * r)} 0a${f(r)} ${f(r)} 0 1 0 ${f(-2 * r)} 0z`),
    });
    if (d.length === 0) return;
    this.parts.push(`<path d="${d.join("")}" fill="${style.fill ?? "none"}"` +
      (style.stroke ? ` stroke="${style.stroke}" stroke-width="${f(style.width ?? 1)}"` : "") +
      (style.dash?.length ? ` stroke-dasharray="${style.dash.join(" ")}"` : "") +
      (style.alpha !== undefined && style.alpha < 1 ? ` opacity="${f(style.alpha)}"` : "") + "/>");
  }
  text(x: number, y: number, text: string, style: TextStyle): void {
    this.parts.push(`<text x="${f(x)}" y="${f(y)}" font-size="${f(style.size)}" fill="${style.fill}" dominant-baseline="central"` +
      (style.anchor ? ` text-anchor="${style.anchor}"` : "") + (style.weight ? ` font-weight="${style.weight}"` : "") +
      (style.halo ? ` stroke="${style.halo}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"` : "") + `>${escaped(text)}</text>`);
  }
  toString(): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}" ` +
      `font-family="${escaped(fontFamily)}"><rect width="100%" height="100%" fill="${this.paper}"/>\n${this.parts.join("\n")}\n</svg>\n`;
  }
}
