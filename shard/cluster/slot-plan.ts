import type { SlotOwner, SlotToken, WantedSlot } from "../../shared/cluster/ownership.js";
import { leftSocketsOpen, type SettleFacts } from "./settle-gap.js";

/** A slot that Redis gave to this incarnation. */
export interface HeldSlot {
  readonly token: SlotToken;
  /** `drained`: nothing of it runs any more, and Redis has yet to be told that it is free. */
  readonly phase: "held" | "draining" | "drained";
  /** Its sessions wait for the platform. The slot does not move on meanwhile, for the next owner's would wait as long. */
  readonly silent: boolean;
}

/** What a look at Redis said in this run; `asked`: it was to be acquired after that, and somebody else was faster. */
export type SeenOwner = SlotOwner | "nobody" | "asked";

export interface SlotView extends SettleFacts {
  /** `undefined` without a lease. */
  readonly incarnation: string | undefined;
  readonly held: ReadonlyMap<number, HeldSlot>;
  /** The member of each slot by the placement; empty while no member is active. */
  readonly target: readonly string[];
  /** False when the members have changed since the target was made. */
  readonly targetFits: boolean;
  /** For how long the members of the target have been the same. */
  readonly targetAgeMs: number;
  /** After so long slots move on purpose. */
  readonly stableMs: number;
  /** The slots of a fenced member of another host are left to its next life for so long: with us their sessions would wait for the platform. */
  readonly rejoinGraceMs: number;
  /** As far as this run has looked. */
  readonly owners: ReadonlyMap<number, SeenOwner>;
  /** Slots of one look or acquire. */
  readonly batch: number;
  /** The process leaves. */
  readonly ending: boolean;
}

/** Why a slot that the target gives to this member is not here. */
export type WaitReason = "owner lives" | "owner may be back" | "another was faster";

export interface WaitingSlot {
  readonly slot: number;
  readonly why: WaitReason;
}

/** `rest` ends a run: `waiting` is tried again by the next one. Each of the others changes the view, and is followed by another step. */
export type SlotStep =
  | { readonly kind: "drop"; readonly slots: readonly number[] }
  | { readonly kind: "place" }
  | { readonly kind: "look"; readonly slots: readonly number[] }
  | { readonly kind: "acquire"; readonly slots: readonly WantedSlot[] }
  | { readonly kind: "rest"; readonly waiting: readonly WaitingSlot[]; readonly release: readonly number[] };

/** Slots that are on their way to other members at once. */
export const movesAtOnce = 64;
/** Shards that start together see each other before they share; but none waits longer than this many quiet times, nor than 5 s. */
const quietTimesMax = 5;
const quietMaxMs = 5_000;

/** What this member does next about its slots. Pure: the keeper does it, and asks again. */
export function planSlots(view: SlotView): SlotStep {
  if (view.incarnation === undefined) return { kind: "drop", slots: [...view.held.keys()] };
  // One slot's long drain must not keep the others from their next owner.
  if (view.ending) return { kind: "rest", waiting: [], release: [...view.held.keys()] };
  // Whoever was dead when the target was made may be back: by that target its former life's slots would be ours to take.
  if (!view.targetFits) return { kind: "place" };
  const wanted = missingSlots(view);
  const seen = wanted.flatMap((slot) => {
    const owner = view.owners.get(slot);
    return owner === undefined ? [] : [{ slot, owner, why: whyWait(owner, view) }];
  });
  const takeable = seen.flatMap(({ slot, owner, why }) => (why === undefined ? [{ slot, dead: deadOwner(owner, view) }] : []));
  if (takeable.length > 0) return { kind: "acquire", slots: takeable };
  if (seen.length < wanted.length) return { kind: "look", slots: wanted.filter((slot) => !view.owners.has(slot)).slice(0, view.batch) };
  const waiting = seen.flatMap(({ slot, why }) => (why === undefined ? [] : [{ slot, why }]));
  return { kind: "rest", waiting, release: toRelease(view) };
}

/** Slots whose token in Redis is not the one that they were held under when it was read: a failover forgot an acquire. */
export function lostSlots(
  asked: ReadonlyMap<number, SlotToken>,
  owners: readonly (SlotOwner | undefined)[],
  held: ReadonlyMap<number, HeldSlot>,
): number[] {
  return [...asked].flatMap(([slot, token], index) => (held.get(slot)?.token === token && owners[index]?.token !== token ? [slot] : []));
}

/**
 * Members whose record must be read again before these owners are judged: the view knows another life of them. That life may be an older one, and its successor alive.
 * Pure.
 */
export function unknownLives(owners: Iterable<SeenOwner>, members: SlotView["members"]): string[] {
  const names = new Set<string>();
  for (const owner of owners) {
    if (typeof owner !== "object" || owner.state === "free") continue;
    const member = members.get(owner.member);
    if (member !== undefined && member.incarnation !== owner.incarnation && member.former?.incarnation !== owner.incarnation)
      names.add(owner.member);
  }
  return [...names];
}

/** How long a process that starts goes on waiting for others that start with it, ms; 0 when it may take its first slots. */
export function gatherMs(quietMs: number, targetAgeMs: number, gatheringMs: number): number {
  if (gatheringMs >= Math.min(quietMaxMs, quietTimesMax * quietMs)) return 0;
  return Math.max(0, quietMs - targetAgeMs);
}

/**
 * Takeable is what was never owned, given back, or owned by an incarnation that will never live again; and what is ours without our knowing, because the answer to an acquire was lost.
 */
function whyWait(owner: SeenOwner, { name, host, incarnation, members, targetAgeMs, rejoinGraceMs }: SlotView): WaitReason | undefined {
  if (owner === "asked") return "another was faster";
  if (owner === "nobody" || owner.state === "free") return undefined;
  if (owner.member === name && owner.incarnation === incarnation) return undefined;
  const member = members.get(owner.member);
  // Not seen yet: it has just joined.
  if (member === undefined) return "owner lives";
  if (member.incarnation !== owner.incarnation) return undefined;
  if (member.buriedBy === "fenced" && owner.host !== host && targetAgeMs < rejoinGraceMs) return "owner may be back";
  return member.state === "dead" || member.state === "gone" ? undefined : "owner lives";
}

function deadOwner(owner: SeenOwner, view: SlotView): WantedSlot["dead"] {
  if (owner === "asked" || owner === "nobody" || owner.state === "free") return undefined;
  return { name: owner.member, incarnation: owner.incarnation, silent: leftSocketsOpen(owner, view) };
}

/** Given to this member by the target, and not here. A loop: every second each shard looks at all slots, and mostly finds none. */
function missingSlots({ target, name, held }: SlotView): number[] {
  const missing: number[] = [];
  for (let slot = 0; slot < target.length; slot++) if (target[slot] === name && !held.has(slot)) missing.push(slot);
  return missing;
}

/** Drained ones are told to Redis again. Those of others go when the target has settled, a few at once. */
function toRelease({ held, target, name, targetAgeMs, stableMs }: SlotView): number[] {
  const drained: number[] = [];
  const surplus: number[] = [];
  let moving = 0;
  for (const [slot, { phase, silent }] of held) {
    if (phase !== "held") moving += 1;
    else if (!silent && (target[slot] ?? name) !== name) surplus.push(slot);
    if (phase === "drained") drained.push(slot);
  }
  if (targetAgeMs < stableMs) return drained;
  return [...drained, ...surplus.slice(0, Math.max(0, movesAtOnce - moving))];
}
