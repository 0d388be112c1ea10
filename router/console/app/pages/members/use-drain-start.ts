import { useRef } from "preact/hooks";
import type { MemberRow } from "../../api/operator-rows.js";
import { drainStarts } from "./drain-starts.js";

/** Returns the number of slots with which each draining member began, as far as this page has seen it. */
export function useDrainStart(rows: readonly MemberRow[]): (name: string) => number {
  const starts = useRef<ReadonlyMap<string, number>>(new Map());
  starts.current = drainStarts(starts.current, rows);
  return (name) => starts.current.get(name) ?? 0;
}
