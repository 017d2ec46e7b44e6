// What panels may ask of the page.
import { Answer, Body } from "./api";
import { Fabric } from "../map/fabric";
import { Marks } from "../map/paint";
import { State } from "./state";

// What `banyan engines --for FABRIC`, `patterns` and `topologies` list.
export interface Listed { name: string; summary: string }
export interface EngineInfo extends Listed { applies: boolean; why: string; deadlock_free: boolean; minimal: boolean; any_graph: boolean }

export interface App {
  readonly state: State;
  readonly fabric: Fabric | null;
  readonly router: string;    // the engine, or the file of the tables
  readonly notation: string;  // the shape that was recognised; empty: none
  readonly engines: EngineInfo[];
  readonly patterns: Listed[];
  readonly collectives: Listed[];
  readonly families: { example: string; summary: string }[];
  update(patch: Partial<State>): void;
  // With the fabric, its faults and the engine; the command is shown.
  ask<T>(verb: string, extra: Body, signal: AbortSignal): Promise<Answer<T>>;
  routed(extra?: Body): Body;
  take(files: FileList | null, use: (name: string) => void): void;    // uploads the first
  told(command: string): void;             // that its numbers are shown
  say(text: string): void;                 // also to who cannot see it
  colour(values: ArrayLike<number> | null, most: number, unit: string, which?: number): void;
  mark(marks: Marks, which?: number): void;
  zoomToChannels(channels: number[]): void;
  split(second: string | null): void;      // a second drawing beside the first, with this caption
  caption(text: string, which?: number): void;
  showMatrix(matrix: HTMLElement | null): void;  // instead of the drawing
}

export interface Panel {
  readonly element: HTMLElement;
  refresh(app: App, signal: AbortSignal): Promise<void>;
  leave?(app: App): void;
}
