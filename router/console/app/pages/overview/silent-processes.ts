import type { MemberRow } from "../../api/operator-rows.js";
import { to } from "../../route/match-route.js";
import { clockText } from "../../ui/instant-text.js";
import type { Finding } from "./not-well.js";

/** When each router and supervisor was last listed. They own nothing, so the list has them only while they report. */
export type LastListed = ReadonlyMap<string, number>;

/** A process that left for good, such as a replaced container, is dropped after this time. */
const rememberedMs = 600_000;

/** Updates the listed processes from one more list. Pure. */
export function listedNow(before: LastListed, members: readonly MemberRow[], at: number): LastListed {
  const kept = [...before].filter(([, seenAt]) => at - seenAt < rememberedMs);
  return new Map([...kept, ...members.flatMap(({ role, name }) => (role === "shard" ? [] : [[name, at] as const]))]);
}

/** Returns a finding for each process that is no longer listed. Pure. */
export function silentProcesses(listed: LastListed, members: readonly MemberRow[]): readonly Finding[] {
  const names = new Set(members.map(({ name }) => name));
  return [...listed].flatMap(([name, seenAt]) =>
    names.has(name)
      ? []
      : [
          {
            tone: "warn",
            text: `No heartbeat from ${name} since ${clockText(seenAt)}`,
            address: to("/members"),
          } as const,
        ],
  );
}
