import type { MemberRecord } from "../../../shared/cluster/membership.js";
import { liveEventsMax, type OperatorEvent } from "../../../shared/cluster/live-events.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import { script } from "../../../shared/redis/script.js";
import { literal } from "../../../shared/redis/script-reply.js";
import type { WatchedMembers } from "../../bus/member-deaths.js";

type Seen = Pick<MemberRecord, "name" | "incarnation" | "state" | "host">;

const publishOnce = script<[event: string, mark: string], [event: string, most: number, markMs: number], 0 | 1>(
  new URL("./scripts/publish-once.lua", import.meta.url),
  literal(0, 1),
);
/** Longer than the time by which routers differ in what they see. */
const markMs = 3_600_000;

/** Calls `onChange` for each member whose incarnation or state changed since this process last saw it. The first view is no change. */
export function watchMembers(members: WatchedMembers, onChange: (member: Seen) => void): void {
  // One entry for each member name.
  let seen: Map<string, string> | undefined;
  members.on("change", () => {
    const now = new Map(members.all().map((member) => [member.name, `${member.incarnation}/${member.state}`]));
    if (seen !== undefined) for (const member of members.all()) if (seen.get(member.name) !== now.get(member.name)) onChange(member);
    seen = now;
  });
}

/** Publishes that a member joined, drains, left or died, once over all routers. */
export async function reportMember(redis: RedisClient, { name, incarnation, state, host }: Seen): Promise<void> {
  const event: OperatorEvent = { type: "member", at: new Date().toISOString(), member: name, state, host };
  await publishOnce(
    redis,
    [keys.liveEvents, keys.memberEventMark(name, incarnation, state)],
    [JSON.stringify(event), liveEventsMax, markMs],
  );
}
