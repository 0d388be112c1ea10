import { channels, keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { script } from "../redis/script.js";
import { integer, literal } from "../redis/script-reply.js";

/** A member's record: `member:{name}`. */
export interface MemberRecord {
  name: string;
  incarnation: string;
  sequence: string;
  state: "active" | "draining" | "dead" | "gone";
  weight: number;
  host: string;
  /** Why a dead member was buried; empty while it lives. */
  buriedBy: "" | Burial;
  /** Place in the feed of beats; absent if it has none, and its record alone shows its beats. */
  place?: number;
  /** The life before this one, whose slots may still have to be taken over. */
  former?: { incarnation: string; end: "" | Burial | "left" };
}

/** `reaped` by its supervisor, `timeout` after silence, or `fenced`: it lost its lease and reported that while its sockets were closing. */
export type Burial = "reaped" | "timeout" | "fenced";

const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);
const isDone = literal(0, 1);

const joinAs = script<[member: string], [incarnation: string, weight: number, host: string, place: number | ""], 0 | 1>(
  lua("join"),
  isDone,
);
/** The new sequence number, 0 when this incarnation was buried or replaced. */
const beat = script<[member: string], [incarnation: string], number>(lua("heartbeat"), integer);
const declareDead = script<[member: string], [incarnation: string, sequence: string, why: Burial], 0 | 1>(lua("bury"), isDone);
const setMemberState = script<[member: string], [incarnation: string, state: MemberRecord["state"]], 0 | 1>(lua("member-state"), isDone);

/** Returns false while another incarnation of this name is within its lease. */
export async function join(
  redis: RedisClient,
  { name, incarnation, weight, host, place }: Pick<MemberRecord, "name" | "incarnation" | "weight" | "host" | "place">,
): Promise<boolean> {
  await redis.sadd(keys.members, name);
  const joined = await joinAs(redis, [keys.member(name)], [incarnation, weight, host, place ?? ""]);
  if (joined === 1) await redis.publish(channels.members, name);
  return joined === 1;
}

/** Returns the new sequence number, or `undefined` when this incarnation was buried or replaced: the caller must fence itself. */
export async function heartbeat(redis: RedisClient, name: string, incarnation: string): Promise<number | undefined> {
  return (await beat(redis, [keys.member(name)], [incarnation])) || undefined;
}

/**
 * Declares an incarnation dead. `sequence`: the one unchanged for 20 s, or `"*"` from its supervisor or from
 * the fenced process itself. Returns false if it has beaten since, left cleanly, or was replaced.
 */
export async function bury(
  redis: RedisClient,
  name: string,
  incarnation: string,
  sequence: string,
  why: Burial = sequence === "*" ? "reaped" : "timeout",
): Promise<boolean> {
  const buried = await declareDead(redis, [keys.member(name)], [incarnation, sequence, why]);
  if (buried === 1) await redis.publish(channels.members, name);
  return buried === 1;
}

export async function announceMemberState(
  redis: RedisClient,
  name: string,
  incarnation: string,
  state: "draining" | "gone",
): Promise<void> {
  await setMemberState(redis, [keys.member(name)], [incarnation, state]);
  await redis.publish(channels.members, name);
}

/** Returns every member that ever joined. */
export async function readMembers(redis: RedisClient): Promise<MemberRecord[]> {
  const records = await readMemberRecords(redis, (await redis.smembers(keys.members)).sort());
  return records.flatMap((record) => record ?? []);
}

/** Returns the records in the order of `names`, from one pipeline; `undefined` for a member that never joined. */
export async function readMemberRecords(redis: RedisClient, names: readonly string[]): Promise<(MemberRecord | undefined)[]> {
  const rows = await Promise.all(names.map((name) => redis.hmget(keys.member(name), ...fields)));
  return rows.map((row, index) => toRecord(names[index] ?? "", row));
}

const fields = ["inc", "seq", "st", "w", "addr", "why", "finc", "fwhy", "at"] as const;

function toRecord(name: string, row: readonly (string | null)[]): MemberRecord | undefined {
  const [incarnation, sequence, state, weight, host, why, formerIncarnation, formerEnd, place] = row;
  if (incarnation == null || !isMemberState(state)) return undefined;
  const record: MemberRecord = {
    name,
    incarnation,
    sequence: sequence ?? "",
    state,
    weight: Number(weight ?? 1) || 1,
    host: host ?? "",
    buriedBy: isBurial(why) ? why : "",
  };
  if (place != null && place !== "") record.place = Number(place);
  if (formerIncarnation != null)
    record.former = { incarnation: formerIncarnation, end: formerEnd === "left" || isBurial(formerEnd) ? formerEnd : "" };
  return record;
}

function isMemberState(text: string | null | undefined): text is MemberRecord["state"] {
  return text === "active" || text === "draining" || text === "dead" || text === "gone";
}

function isBurial(text: string | null | undefined): text is Burial {
  return text === "reaped" || text === "timeout" || text === "fenced";
}
