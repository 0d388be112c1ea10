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

const worstFirst: readonly Level[] = ["fail", "warn", "ok"];

/** The same things looked at on several servers: of each the worst, and on how many servers that is so. */
export function mergeFindings(perServer: readonly (readonly Finding[])[]): Finding[] {
  const [first = [], ...others] = perServer;
  if (others.length === 0) return [...first];
  return first.map(({ about }) => {
    const same = perServer.flatMap((findings) => findings.filter((one) => one.about === about));
    const level = worstFirst.find((one) => same.some((finding) => finding.level === one)) ?? "ok";
    const worst = same.filter((finding) => finding.level === level);
    const [told = ok(about, "")] = worst;
    return { ...told, says: `${told.says} (${worst.length} of ${same.length} servers)` };
  });
}
