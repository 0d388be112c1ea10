export type Level = "ok" | "warn" | "fail";

/** One thing that was looked at. */
export interface Finding {
  readonly level: Level;
  readonly about: string;
  readonly says: string;
  /** How it is mended, in one sentence; none where all is well. */
  readonly mend?: string;
}

export function ok(about: string, says: string): Finding {
  return { level: "ok", about, says };
}

export function warn(about: string, says: string, mend: string): Finding {
  return { level: "warn", about, says, mend };
}

export function fail(about: string, says: string, mend: string): Finding {
  return { level: "fail", about, says, mend };
}
