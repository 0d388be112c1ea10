export interface Countdown {
  readonly leftMs: number;
  /** In the form `2:05`. */
  readonly text: string;
  /** Share of the whole time, 1 at the beginning. */
  readonly share: number;
}

/** Returns the remaining time since an instant, limited to 0 and the whole time because clocks may differ. Pure. */
export function countdown(sinceMs: number, lastsMs: number, nowMs: number): Countdown {
  const leftMs = Math.min(lastsMs, Math.max(0, sinceMs + lastsMs - nowMs));
  const seconds = Math.ceil(leftMs / 1_000);
  return { leftMs, text: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`, share: leftMs / lastsMs };
}
