import { xxHash32 } from "js-xxhash";
import { defaultClusterTiming } from "../../shared/cluster/cluster-timing.js";
import { targetMap } from "../../shard/cluster/placement.js";
import { SlotScores } from "../../shard/cluster/slot-scores.js";
import { connectedAt, type ConnectPace } from "./connect-queue.js";
import type { HostedMember } from "./hosts.js";

export interface Loss {
  readonly members: readonly HostedMember[];
  /** The host that is gone from one moment to the next, with all of its members. */
  readonly host: string;
  /** Sessions of each slot. */
  readonly sessions: ArrayLike<number>;
  /** How long the platform takes to drop a connection that fell silent. */
  readonly dropMs: number;
  readonly pace: ConnectPace;
}

export interface LossOutcome {
  /** Of the host's members, in ms after it went. */
  readonly buriedAt: readonly number[];
  readonly slots: number;
  readonly sessions: number;
  /** Slots of others that moved besides. */
  readonly movedBesides: number;
  /** Of every session of the host, ascending, in ms after it went. */
  readonly connectedAt: readonly number[];
  /** Members that took some of them over. */
  readonly takers: number;
}

const beatMs = 3_000;
/** From a burial until its slots' sessions are loaded elsewhere: a notice, a look, a script, a load. */
const takeMs = 300;

/**
 * Virtual time: placement, burial and connecting as the product does them, without processes. Each member of the host was heard of last at another moment of its beat, so
 * they are buried one after the other, and the slots of the first are placed while the others still count as living.
 */
export function loseHost({ members, host, sessions, dropMs, pace }: Loss): LossOutcome {
  const scores = new SlotScores();
  const placed = (among: readonly HostedMember[]): readonly string[] => targetMap(among, new Map(), scores);
  const lost = members.filter((member) => member.host === host);
  const names = new Set(lost.map(({ name }) => name));
  const burials = lost
    .map(({ name }) => ({ name, at: defaultClusterTiming.deathMs - (xxHash32(name, 1) % beatMs) }))
    .sort((a, b) => a.at - b.at);
  const before = placed(members);
  const buried = new Set<string>();
  const readyAt = new Map<string, number[]>();
  const open = new Set(before.flatMap((owner, slot) => (names.has(owner) ? [slot] : [])));
  const ofHost = [...open];
  let target = before;
  for (const { name, at } of burials) {
    buried.add(name);
    target = placed(members.filter((member) => !buried.has(member.name)));
    for (const slot of open) {
      const taker = target[slot] ?? "";
      if (!buried.has(before[slot] ?? "") || names.has(taker)) continue;
      open.delete(slot);
      const queue = readyAt.get(taker) ?? [];
      for (let i = 0; i < (sessions[slot] ?? 0); i += 1) queue.push(at + takeMs + dropMs);
      readyAt.set(taker, queue);
    }
  }
  const connected = [...readyAt.values()].flatMap((queue) => connectedAt(queue, pace)).sort((a, b) => a - b);
  return {
    buriedAt: burials.map(({ at }) => at),
    slots: ofHost.length,
    sessions: connected.length,
    movedBesides: target.filter((owner, slot) => !names.has(before[slot] ?? "") && before[slot] !== owner).length,
    connectedAt: connected,
    takers: readyAt.size,
  };
}
