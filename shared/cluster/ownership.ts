import type { MemberWatch } from "./member-watch.js";
import { channels, keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { loadScript, runScript } from "../redis/script.js";

/** Fencing token of a slot: decimal text of an integer that only grows. Every write of session state names it. */
export type SlotToken = string & { readonly __brand: "SlotToken" };

/** `o:{slot}` as other processes read it. */
export interface SlotOwner {
  member: string;
  incarnation: string;
  token: SlotToken;
  state: "held" | "draining" | "free";
}

export interface Acquired {
  token: SlotToken;
  /** How the slot came to us: decides the settle gap before connecting (reliability sheet 2.2, rule 8). */
  how: "new" | "same" | "released" | "dead";
  previousHost: string;
}

const acquireScript = loadScript("acquire");
const slotStateScript = loadScript("slot-state");

/** Compare-and-set on the slot; `undefined` when a living member owns it. `dead` names an incarnation that is known buried. */
export async function acquire(
  redis: RedisClient,
  slot: number,
  self: { name: string; incarnation: string; host: string },
  dead: { name: string; incarnation: string } | undefined,
): Promise<Acquired | undefined> {
  const answer = await runScript(redis, acquireScript, [keys.owner(slot)], [self.name, self.incarnation, self.host, dead?.name ?? "", dead?.incarnation ?? ""]);
  if (!Array.isArray(answer) || answer[0] !== 1) return undefined;
  const [, token, previousHost, how] = answer as [number, string, string, Acquired["how"]];
  return { token: token as SlotToken, how, previousHost };
}

/** Rejects with `FencedError` when the token is no longer the slot's. */
export async function setSlotState(redis: RedisClient, slot: number, token: SlotToken, state: SlotOwner["state"]): Promise<void> {
  await runScript(redis, slotStateScript, [keys.owner(slot)], [token, state]);
}

/** Tells waiting routers; a lost message costs them a poll interval. */
export async function announceSlots(redis: RedisClient, slots: readonly number[]): Promise<void> {
  if (slots.length > 0) await redis.publish(channels.slots, slots.join(","));
}

/** One pipeline, in the order asked; `undefined` for a slot that was never owned. */
export async function readOwners(redis: RedisClient, slots: readonly number[]): Promise<(SlotOwner | undefined)[]> {
  return await Promise.all(slots.map((slot) => readOwner(redis, slot)));
}

/** `undefined` for a slot that was never owned. */
export async function readOwner(redis: RedisClient, slot: number): Promise<SlotOwner | undefined> {
  return toOwner(await redis.hmget(keys.owner(slot), "m", "inc", "tok", "st"));
}

/** True while the owner has the slot and lives, as far as this process can see. */
export function ownerServes(members: Pick<MemberWatch, "lives">, { state, member, incarnation }: SlotOwner): boolean {
  return state !== "free" && members.lives(member, incarnation);
}

function toOwner(row: readonly (string | null)[]): SlotOwner | undefined {
  const [member, incarnation, token, state] = row;
  if (member == null || incarnation == null || token == null) return undefined;
  return { member, incarnation, token: token as SlotToken, state: state === "draining" || state === "free" ? state : "held" };
}
