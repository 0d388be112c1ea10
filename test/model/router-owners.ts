import { ownerServes, type SlotOwner } from "../../shared/cluster/ownership.js";
import type { Machine, Steps } from "./machine.js";
import type { MemberView } from "./member-view.js";
import type { Connection } from "./redis-link.js";
import type { ModelRedis } from "./redis.js";
import { answerTo } from "./retry.js";
import { sentToMs } from "./timing.js";

/** Models `SlotOwners` of `router/bus/slot-owners.ts`, a cache of slot owners. */
export class RouterOwners {
  private readonly remembered = new Map<number, { readonly owner: SlotOwner; readonly readAt: number }>();
  /** Grows when a slot's owner is evicted. A read that began before the eviction is not cached. */
  private readonly versions = new Map<number, number>();

  constructor(
    private readonly machine: Machine,
    private readonly redis: ModelRedis,
    private readonly connection: Connection,
    private readonly members: MemberView,
  ) {}

  *owner(slot: number): Steps<SlotOwner | undefined> {
    const known = this.remembered.get(slot);
    const isFresh = known !== undefined && this.machine.now() - known.readAt < sentToMs;
    if (isFresh && ownerServes(this.members, known.owner)) return known.owner;
    const readAt = this.machine.now();
    const version = this.versions.get(slot);
    const { connection, redis } = this;
    const [owner] = yield* answerTo<(SlotOwner | undefined)[]>(connection.ask({ apply: () => redis.slots.read([slot]) }));
    if (owner === undefined) return undefined;
    if (this.versions.get(slot) === version) this.remembered.set(slot, { owner, readAt });
    return ownerServes(this.members, owner) ? owner : undefined;
  }

  forget(slot: number): void {
    this.remembered.delete(slot);
    this.versions.set(slot, (this.versions.get(slot) ?? 0) + 1);
  }
}
