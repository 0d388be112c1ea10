import type { ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import { acquireSlots, announceSlots, readOwners, type Acquired, type WantedSlot } from "../../shared/cluster/ownership.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { BatchSize } from "./batch-size.js";
import type { HeldSlots } from "./held-slots.js";
import { settleMs } from "./settle-gap.js";
import { SilenceWaits } from "./silence-waits.js";
import type { AcquiredSlot } from "./slot-listener.js";
import type { SeenOwner } from "./slot-plan.js";
import type { Takeovers } from "./takeovers.js";

export interface SlotAcquisitionsOptions {
  redis: RedisClient;
  members: { get(name: string): MemberRecord | undefined };
  lease: { readonly incarnation: string; holds(): boolean };
  name: string;
  host: string;
  held: HeldSlots;
  /** Loads the sessions of the slots. */
  onAcquired: (slots: readonly AcquiredSlot[]) => Promise<void>;
  takeovers: Pick<Takeovers, "add">;
  dropMs: number;
  log: Log;
  timing?: ClusterTiming;
}

/** Acquires slots for this incarnation, in batches that Redis handles in time. */
export class SlotAcquisitions {
  private readonly batch = new BatchSize();
  private readonly silences: SilenceWaits;

  constructor(private readonly options: SlotAcquisitionsOptions) {
    this.silences = new SilenceWaits(options);
  }

  /** Slots of the next read or acquire. */
  get atOnce(): number {
    return this.batch.now;
  }

  stop(): void {
    this.silences.stop();
  }

  async read(slots: readonly number[], owners: Map<number, SeenOwner>): Promise<void> {
    const read = await this.batch.tried(() => readOwners(this.options.redis, slots));
    slots.forEach((slot, index) => owners.set(slot, read[index] ?? "none"));
  }

  async acquire(wanted: readonly WantedSlot[], owners: Map<number, SeenOwner>): Promise<void> {
    const { name, host, lease, redis, held } = this.options;
    const self = { name, incarnation: lease.incarnation, host };
    const acquiring = this.batch.tried(() => acquireSlots(redis, wanted, self));
    held.registerAcquisition(
      wanted.map(({ slot }) => slot),
      acquiring,
    );
    const results = await acquiring;
    // A lease that was lost meanwhile owns nothing, whatever Redis stores: the next incarnation takes these slots over.
    const leaseHolds = self.incarnation === lease.incarnation && lease.holds();
    const acquired = wanted.flatMap(({ slot }, index) => {
      const result = results[index];
      const row = result === undefined || !leaseHolds ? [] : [this.keep(slot, result, owners.get(slot))];
      owners.set(slot, "tried");
      return row;
    });
    if (acquired.length === 0) return;
    await this.open(acquired);
    const opened = new Set(acquired.map(({ slot }) => slot));
    const takenOver = wanted.flatMap(({ slot, dead }, index) =>
      dead !== undefined && results[index]?.how === "dead" && opened.has(slot) ? [{ slot, dead }] : [],
    );
    this.options.takeovers.add(takenOver);
  }

  private keep(slot: number, acquired: Acquired, owner: SeenOwner | undefined): AcquiredSlot {
    const { token, silent } = acquired;
    this.options.held.all.set(slot, { token, phase: "held", silent });
    return { slot, token, silent, settleMs: settleMs(acquired, typeof owner === "object" ? owner : undefined, this.options) };
  }

  /** If a slot's sessions cannot be loaded, the slot is dropped and acquired again by the next run: it must not count as empty. */
  private async open(acquired: readonly AcquiredSlot[]): Promise<void> {
    const { redis, held, onAcquired, log } = this.options;
    log.info({ slots: acquired.length, held: held.count }, "slots acquired");
    try {
      await onAcquired(acquired);
    } catch (error) {
      held.drop(acquired.flatMap(({ slot, token }) => (held.all.get(slot)?.token === token ? [slot] : [])));
      throw error;
    }
    const silent = acquired.filter((slot) => slot.silent);
    this.silences.begin(silent, () => {
      for (const { slot, token } of silent) {
        const still = held.all.get(slot);
        if (still?.token === token) held.all.set(slot, { ...still, silent: false });
      }
    });
    await announceSlots(
      redis,
      acquired.map(({ slot }) => slot),
    );
  }
}
