import { xxHash32 } from "js-xxhash";
import { defaultClusterTiming } from "../../shared/cluster/cluster-timing.js";
import { targetMap } from "../../shard/cluster/placement.js";
import { SlotScores } from "../../shard/cluster/slot-scores.js";
import { connectedAt, type ConnectPace } from "./connect-queue.js";
import type { HostedMember } from "./hosts.js";

export interface Loss {
  readonly members: readonly HostedMember[];
  /** The host that fails at once with all of its members. */
  readonly host: string;
  /** Number of sessions in each slot. */
  readonly sessions: ArrayLike<number>;
  /** Time until the platform drops a silent connection. */
  readonly dropMs: number;
  readonly pace: ConnectPace;
}

export interface LossOutcome {
  /** When each member of the host was declared dead, in ms after the failure. */
  readonly buriedAt: readonly number[];
  readonly slots: number;
  readonly sessions: number;
  /** Slots of other members that moved as well. */
  readonly movedBesides: number;
  /** When each session of the host was connected again, ascending, in ms after the failure. */
  readonly connectedAt: readonly number[];
  /** Number of members that took over sessions of the host. */
  readonly takers: number;
}

const beatMs = 3_000;
/** Time from declaring a member dead until its sessions are loaded elsewhere: a notice, a check, a script, a load. */
const takeMs = 300;

/**
 * Simulates the loss of a host in virtual time with the product's own rules. Its members are declared dead one by one, because their last
 * heartbeats differ, so the first slots are placed while other lost members still count as alive.
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
