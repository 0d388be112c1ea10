import { channels } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import { ownerServes, readOwners, type SlotOwner } from "../../shared/cluster/ownership.js";

const freshMs = 5_000;

/**
 * Which member owns a slot, as of 5 s ago at most; a `slots` message makes an entry stale at once. A wrong entry costs one extra hop,
 * never a wrong execution. At most 4096 entries.
 */
export class OwnerDirectory {
  private readonly owners = new Map<number, { owner: SlotOwner; at: number }>();
  private readonly changed = new Set<() => void>();
  private readonly nudge = (channel: string, message: string): void => {
    if (channel !== channels.slots) return;
    for (const slot of message.split(",")) this.owners.delete(Number(slot));
    this.tell();
  };
  private readonly tell = (): void => {
    for (const listener of this.changed) listener();
  };

  constructor(
    private readonly redis: RedisClient,
    private readonly subscriber: RedisClient,
    private readonly members: Pick<MemberWatch, "lives" | "on" | "off">,
  ) {}

  async start(): Promise<void> {
    this.subscriber.on("message", this.nudge);
    await this.subscriber.subscribe(channels.slots);
    this.members.on("change", this.tell);
  }

  stop(): void {
    this.subscriber.off("message", this.nudge);
    this.members.off("change", this.tell);
  }

  /** The slot's living owner, or `undefined` while there is none. Reads Redis when the entry is stale. */
  async owner(slot: number): Promise<SlotOwner | undefined> {
    const known = this.owners.get(slot);
    if (known !== undefined && performance.now() - known.at < freshMs && ownerServes(this.members, known.owner)) return known.owner;
    const [owner] = await readOwners(this.redis, [slot]);
    if (owner === undefined || !ownerServes(this.members, owner)) {
      this.owners.delete(slot);
      return undefined;
    }
    this.learn(slot, owner);
    return owner;
  }

  /** What a session read has just seen. */
  learn(slot: number, owner: SlotOwner): void {
    this.owners.set(slot, { owner, at: performance.now() });
  }

  forget(slot: number): void {
    this.owners.delete(slot);
  }

  /** Resolves at the next change of members or slots, or after `ms`. */
  async change(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.changed.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.changed.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }

  onChange(listener: () => void): void {
    this.changed.add(listener);
  }

  offChange(listener: () => void): void {
    this.changed.delete(listener);
  }
}
