import type { SlotOwner, SlotToken, WantedSlot } from "../../shared/cluster/ownership.js";
import { leftSocketsOpen, type SettleFacts } from "./settle-gap.js";

/** A slot that this incarnation owns. */
export interface HeldSlot {
  readonly token: SlotToken;
  /** `drained`: nothing of the slot runs any more, but Redis does not know yet that it is free. */
  readonly phase: "held" | "draining" | "drained";
  /** Its sessions wait for the platform. The slot does not move meanwhile, because the next owner would wait as long. */
  readonly silent: boolean;
}

/**
 * The owner as this run has read it. `tried`: this run has tried to acquire the slot; if it is still missing, another member was faster.
 */
export type SeenOwner = SlotOwner | "none" | "tried";

export interface SlotView extends SettleFacts {
  /** `undefined` without a lease. */
  readonly incarnation: string | undefined;
  readonly held: ReadonlyMap<number, HeldSlot>;
  /** Target member of each slot; empty while no member is active. */
  readonly target: readonly string[];
  /** False when the members have changed since the target was computed. */
  readonly targetFits: boolean;
  /** How long the target's members have been unchanged. */
  readonly targetAgeMs: number;
  /** Age of the target after which slots may move. */
  readonly stableMs: number;
  /** How long the slots of a fenced member on another host are left to its next life: here their sessions would wait for the platform. */
  readonly rejoinGraceMs: number;
  /** Owners that this run has read. */
  readonly owners: ReadonlyMap<number, SeenOwner>;
  /** Slots of one read or acquire. */
  readonly batch: number;
  /** The process is leaving. */
  readonly ending: boolean;
}

/** The reason why a slot that the target gives to this member is not here. */
export type WaitReason = "owner lives" | "owner may be back" | "another was faster";

export interface WaitingSlot {
  readonly slot: number;
  readonly why: WaitReason;
}

/** `rest` ends a run, and the next run retries `waiting`. Every other step changes the view and is followed by another step. */
export type SlotStep =
  | { readonly kind: "drop"; readonly slots: readonly number[] }
  | { readonly kind: "place" }
  | { readonly kind: "read"; readonly slots: readonly number[] }
  | { readonly kind: "acquire"; readonly slots: readonly WantedSlot[] }
  | { readonly kind: "rest"; readonly waiting: readonly WaitingSlot[]; readonly release: readonly number[] };

/** Most slots that move to other members at once. */
export const movesAtOnce = 64;
/** Shards that start together wait for each other before they share slots, but at most this many quiet times and at most 5 s. */
const quietTimesMax = 5;
const quietMaxMs = 5_000;

/** Returns this member's next step. Pure: the keeper carries it out and plans again. */
export function planSlots(view: SlotView): SlotStep {
  if (view.incarnation === undefined) return { kind: "drop", slots: [...view.held.keys()] };
  // One slot's long drain must not delay the release of the others.
  if (view.ending) return { kind: "rest", waiting: [], release: [...view.held.keys()] };
  // A member that was dead when the target was computed may be back: its slots must not be taken by that target.
  if (!view.targetFits) return { kind: "place" };
  const wanted = missingSlots(view);
  const seen = wanted.flatMap((slot) => {
    const owner = view.owners.get(slot);
    return owner === undefined ? [] : [{ slot, owner, why: whyWait(owner, view) }];
  });
  const takeable = seen.flatMap(({ slot, owner, why }) => (why === undefined ? [{ slot, dead: deadOwner(owner, view) }] : []));
  if (takeable.length > 0) return { kind: "acquire", slots: takeable };
  if (seen.length < wanted.length) return { kind: "read", slots: wanted.filter((slot) => !view.owners.has(slot)).slice(0, view.batch) };
  const waiting = seen.flatMap(({ slot, why }) => (why === undefined ? [] : [{ slot, why }]));
  return { kind: "rest", waiting, release: toRelease(view) };
}

/** Returns the stale slots that are still held under the checked token: a failover of Redis lost their acquire. */
export function lostSlots(
  checked: ReadonlyMap<number, SlotToken>,
  stale: readonly number[],
  held: ReadonlyMap<number, HeldSlot>,
): number[] {
  return stale.filter((slot) => held.get(slot)?.token === checked.get(slot));
}

/**
 * Returns members whose record must be read again before these owners are judged: the view has another, maybe older, life of them. Pure.
 */
export function outdatedMembers(owners: Iterable<SeenOwner>, members: SlotView["members"]): string[] {
  const names = new Set<string>();
  for (const owner of owners) {
    if (typeof owner !== "object" || owner.state === "free") continue;
    const member = members.get(owner.member);
    if (member !== undefined && member.incarnation !== owner.incarnation && member.former?.incarnation !== owner.incarnation)
      names.add(owner.member);
  }
  return [...names];
}

/** Returns how many milliseconds a starting process waits for others; 0 when it may acquire its first slots. */
export function gatherMs(quietMs: number, targetAgeMs: number, gatheringMs: number): number {
  if (gatheringMs >= Math.min(quietMaxMs, quietTimesMax * quietMs)) return 0;
  return Math.max(0, quietMs - targetAgeMs);
}

/**
 * Returns why a slot must wait, or `undefined` if it may be acquired: it was never owned, was released, its owner's incarnation has ended,
 * or it is ours already because the response to an acquire was lost.
 */
function whyWait(owner: SeenOwner, { name, host, incarnation, members, targetAgeMs, rejoinGraceMs }: SlotView): WaitReason | undefined {
  if (owner === "tried") return "another was faster";
  if (owner === "none" || owner.state === "free") return undefined;
  if (owner.member === name && owner.incarnation === incarnation) return undefined;
  const member = members.get(owner.member);
  // Not seen yet: the member has just joined.
  if (member === undefined) return "owner lives";
  if (member.incarnation !== owner.incarnation) return undefined;
  if (member.buriedBy === "fenced" && owner.host !== host && targetAgeMs < rejoinGraceMs) return "owner may be back";
  return member.state === "dead" || member.state === "gone" ? undefined : "owner lives";
}

function deadOwner(owner: SeenOwner, view: SlotView): WantedSlot["dead"] {
  if (owner === "tried" || owner === "none" || owner.state === "free") return undefined;
  return { name: owner.member, incarnation: owner.incarnation, silent: leftSocketsOpen(owner, view) };
}

/** Slots that the target gives to this member and that are not here. A plain loop, because every shard scans all slots each second. */
function missingSlots({ target, name, held }: SlotView): number[] {
  const missing: number[] = [];
  for (let slot = 0; slot < target.length; slot++) if (target[slot] === name && !held.has(slot)) missing.push(slot);
  return missing;
}

/** Drained slots are released again. Slots of other members go when the target has settled, a few at a time. */
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
