import type { MemberWatch } from "./member-watch.js";
import { channels, keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import { script } from "../redis/script.js";
import { bySlot } from "../redis/topology.js";
import { integer, list, oneOf, text, textOrNull, tuple, literal, type Decode } from "../redis/script-reply.js";

/** Fencing token of a slot: decimal text of an integer that only grows. Every write of session state names it. */
export type SlotToken = string & { readonly __brand: "SlotToken" };

/** `owner:{slot}` as other processes read it. */
export interface SlotOwner {
  member: string;
  incarnation: string;
  token: SlotToken;
  state: "held" | "draining" | "free";
  /** Host of the owning member; set where many owners are read at once. */
  host?: string;
}

export interface Acquired {
  token: SlotToken;
  /** How the slot came to us: decides the settle gap before connecting (shard/README.md, "Settle gaps"). */
  how: "new" | "same" | "released" | "dead";
  previousHost: string;
  /**
   * A previous owner fell silent, and no owner has since waited until the platform dropped the
   * connections it may have left open.
   */
  silent: boolean;
}

/** The state of a slot that its owner stores. */
export interface NewSlotState extends Pick<SlotOwner, "token" | "state"> {
  slot: number;
}

/** A slot to acquire, and the buried incarnation that it may be taken from. */
export interface WantedSlot {
  slot: number;
  dead: { name: string; incarnation: string; silent?: boolean } | undefined;
}

const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);
const slotToken: Decode<SlotToken> = (reply) => text(reply) as SlotToken;

type AcquireReply = [taken: 0 | 1] | [taken: 1, token: SlotToken, previousHost: string, how: Acquired["how"], silent: string];
type OwnerRow = [member: string | null, incarnation: string | null, token: string | null, state: string | null, host: string | null];

/** `dead`: name, incarnation and silence of each slot's dead owner. */
const takeSlots = script<string[], [member: string, incarnation: string, host: string, ...dead: (string | number)[]], AcquireReply[]>(
  lua("acquire"),
  list(oneOf(tuple(literal(1), slotToken, text, literal("new", "same", "released", "dead"), text), tuple(literal(0, 1)))),
  { isKept: true },
);
const settle = script<string[], SlotToken[], number>(lua("settled"), integer);
const ownerRows = script<string[], [], OwnerRow[]>(lua("owners"), list(tuple(textOrNull, textOrNull, textOrNull, textOrNull, textOrNull)));
const stalePositions = script<string[], SlotToken[], number[]>(lua("stale-slots"), list(integer));
/** `isKept`: if Redis forgot a release, the slot would stay with its former owner, which no longer counts it. */
const writeSlotStates = script<string[], string[], (0 | 1)[]>(lua("slot-states"), list(literal(0, 1)), { isKept: true });

/**
 * Acquires slots by compare-and-set, with one script, or one per slot on a cluster of Redis. Returns results in the order given;
 * `undefined` for a slot that a live member owns.
 */
export async function acquireSlots(
  redis: RedisClient,
  wanted: readonly WantedSlot[],
  self: { name: string; incarnation: string; host: string },
): Promise<(Acquired | undefined)[]> {
  const replies = await bySlot(redis, wanted, ownerKey, (part) => {
    const dead = part.flatMap(({ dead }) => [dead?.name ?? "", dead?.incarnation ?? "", dead?.silent === true ? 1 : ""]);
    return takeSlots(redis, part.map(ownerKey), [self.name, self.incarnation, self.host, ...dead]);
  });
  return replies.map((reply) => reply && toAcquired(reply));
}

/** Acquires a single slot like `acquireSlots`. */
export async function acquire(
  redis: RedisClient,
  slot: number,
  self: { name: string; incarnation: string; host: string },
  dead: WantedSlot["dead"],
): Promise<Acquired | undefined> {
  return (await acquireSlots(redis, [{ slot, dead }], self))[0];
}

function ownerKey({ slot }: { slot: number }): string {
  return keys.owner(slot);
}

function toAcquired(reply: AcquireReply): Acquired | undefined {
  if (reply.length === 1) return undefined;
  const [, token, previousHost, how, silent] = reply;
  return { token, how, previousHost, silent: silent === "1" };
}

/**
 * Records that the silence of a former owner was waited out, so that these slots' next owner need not wait. Skips slots that this process
 * no longer owns.
 */
export async function markSettled(redis: RedisClient, slots: readonly { slot: number; token: SlotToken }[]): Promise<void> {
  await bySlot(redis, slots, ownerKey, async (part) => [
    await settle(
      redis,
      part.map(ownerKey),
      part.map(({ token }) => token),
    ),
  ]);
}

/**
 * Sets slot states with one script, or one per slot on a cluster of Redis. Returns results in the order given; false for a slot whose token
 * is stale.
 */
export async function setSlotStates(redis: RedisClient, slots: readonly NewSlotState[]): Promise<readonly boolean[]> {
  const replies = await bySlot(redis, slots, ownerKey, (part) =>
    writeSlotStates(
      redis,
      part.map(ownerKey),
      part.flatMap(({ token, state }) => [token, state]),
    ),
  );
  return replies.map((reply) => reply === 1);
}

/** Notifies waiting routers; a lost message delays them by one poll interval. */
export async function announceSlots(redis: RedisClient, slots: readonly number[]): Promise<void> {
  if (slots.length > 0) await redis.publish(channels.slots, slots.join(","));
}

/**
 * Returns owners in the order given, with one script, or one per slot on a cluster of Redis; `undefined` for a slot that was never owned.
 */
export async function readOwners(redis: RedisClient, slots: readonly number[]): Promise<(SlotOwner | undefined)[]> {
  const rows = await bySlot(redis, slots, keys.owner, (part) => ownerRows(redis, part.map(keys.owner), []));
  return rows.map((row) => row && toOwner(row));
}

/**
 * Returns the slots that have another token in Redis, or none, with one script, or one per slot on a cluster of Redis. Slots with the given
 * token cost no reply.
 */
export async function readStale(redis: RedisClient, tokens: ReadonlyMap<number, SlotToken>): Promise<number[]> {
  const keyOf = ([slot]: readonly [number, SlotToken]): string => keys.owner(slot);
  const stale = await bySlot(redis, [...tokens], keyOf, async (part) => {
    const positions = await stalePositions(
      redis,
      part.map(keyOf),
      part.map(([, token]) => token),
    );
    return positions.flatMap((position) => part[position - 1]?.[0] ?? []);
  });
  return stale.flatMap((slot) => slot ?? []);
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
  const [member, incarnation, token, state, host] = row;
  if (member == null || incarnation == null || token == null) return undefined;
  const owner: SlotOwner = {
    member,
    incarnation,
    token: token as SlotToken,
    state: state === "draining" || state === "free" ? state : "held",
  };
  return host == null ? owner : { ...owner, host };
}
