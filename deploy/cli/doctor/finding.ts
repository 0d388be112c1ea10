export type Level = "ok" | "warn" | "fail";

/** Result of one check. */
export interface Finding {
  readonly level: Level;
  readonly about: string;
  readonly says: string;
  /** One sentence that says how to fix the problem; absent if the check passed. */
  readonly fix?: string;
}

export function ok(about: string, says: string): Finding {
  return { level: "ok", about, says };
}

export function warn(about: string, says: string, fix: string): Finding {
  return { level: "warn", about, says, fix };
}

export function fail(about: string, says: string, fix: string): Finding {
  return { level: "fail", about, says, fix };
}

const worstFirst: readonly Level[] = ["fail", "warn", "ok"];

/** Merges the findings of several servers: the worst result of each check, with the number of servers that have it. */
export function mergeFindings(perServer: readonly (readonly Finding[])[]): Finding[] {
  const [first = [], ...others] = perServer;
  if (others.length === 0) return [...first];
  return first.map(({ about }) => {
    const same = perServer.flatMap((findings) => findings.filter((one) => one.about === about));
    const level = worstFirst.find((one) => same.some((finding) => finding.level === one)) ?? "ok";
    const worst = same.filter((finding) => finding.level === level);
    const [first = ok(about, "")] = worst;
    return { ...first, says: `${first.says} (${worst.length} of ${same.length} servers)` };
  });
}
