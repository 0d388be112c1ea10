import { ownerServes, readOwner, type SlotOwner, type SlotToken } from "../../shared/cluster/ownership.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import type { Ending } from "../../shared/flow/ending.js";
import { pause } from "../../shared/flow/pause.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { channels, keys } from "../../shared/redis/keys.js";
import type { TrackedReads } from "./redis/invalidation-feed.js";
import type { OwnerPort } from "./owner-port.js";

export interface SlotOwnersOptions {
  /** While it does not track a slot's owner, that is not at hand. */
  readonly feed: TrackedReads;
  /** Asked where the tracked connection does not answer. */
  readonly redis: RedisClient;
  readonly subscriber: RedisClient;
  readonly members: Pick<MemberWatch, "lives" | "on" | "off">;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Upper bound of what a lost message of Redis can cost; the messages themselves take a millisecond. */
export const rememberedMs = 2_000;
/** Where a wrong owner only costs a hop, because the shard that gets the command refuses it. */
const sentToMs = 5_000;

/** An owner that took a slot over so recently may still load its sessions. */
const newMs = 60_000;

interface Remembered {
  readonly owner: SlotOwner | undefined;
  /** Before the read was sent. */
  readonly readAt: number;
  /** Redis tells when it changes. */
  readonly isTracked: boolean;
}

/**
 * Who owns a slot, in this process's memory: at most 4096 rows. Redis tells of every write to what was read (client-side caching), which takes effect here within
 * a millisecond or so; should that fail unnoticed, what is remembered lasts 2 s, and 5 s as the target of a command. A `slots` message ends it at once, too.
 * Whether the owner lives is another question, which is asked at every look (`ownerServes`).
 */
export class SlotOwners implements OwnerPort {
  private readonly remembered = new Map<number, Remembered>();
  /** The last token that was seen of each slot, and when it took the place of another one. */
  private readonly tokens = new Map<number, { readonly token: SlotToken; readonly changedAt: number }>();
  /** Reads under way. One that a message has overtaken leaves the set and is not remembered. */
  private readonly reading = new Set<{ readonly slot: number }>();
  private readonly changed = new Set<() => void>();
  private readonly now: () => number;
  private readonly hear = (channel: string, message: string): void => {
    if (channel !== channels.slots) return;
    for (const slot of message.split(",")) this.forget(Number(slot));
    this.tell();
  };
  private readonly tell = (): void => {
    for (const listener of this.changed) listener();
  };

  constructor(private readonly options: SlotOwnersOptions) {
    this.now = options.now ?? (() => performance.now());
    options.feed.onKeys((key) => {
      const slot = /^owner:\{(\d+)\}$/.exec(key)?.[1];
      if (slot !== undefined) this.forget(Number(slot));
    });
    options.feed.onLost(() => this.clear());
  }

  async start(): Promise<void> {
    this.options.subscriber.on("message", this.hear);
    await this.options.subscriber.subscribe(channels.slots);
    this.options.members.on("change", this.tell);
  }

  stop(): void {
    this.options.subscriber.off("message", this.hear);
    this.options.members.off("change", this.tell);
  }

  /** Without I/O; `undefined` where Redis has to be asked, and for a slot that was never owned. */
  atHand(slot: number): SlotOwner | undefined {
    const known = this.remembered.get(slot);
    return known?.isTracked === true && this.now() - known.readAt < rememberedMs ? known.owner : undefined;
  }

  /** As Redis has it now; `undefined` for a slot that was never owned. */
  async read(slot: number): Promise<SlotOwner | undefined> {
    const { feed, redis } = this.options;
    const tracked = feed.at(keys.owner(slot));
    if (tracked === undefined) return await this.readOn(redis, slot, false);
    try {
      return await this.readOn(tracked.redis, slot, true);
    } catch {
      // The tracked connection has its own troubles; the general one has its own words for a Redis that does not answer.
      return await this.readOn(redis, slot, false);
    }
  }

  /** Whom a command is sent to: the slot's living owner, or `undefined` while there is none. */
  async owner(slot: number): Promise<SlotOwner | undefined> {
    const { members } = this.options;
    const known = this.remembered.get(slot);
    const isFresh = known !== undefined && this.now() - known.readAt < sentToMs;
    if (isFresh && known.owner !== undefined && ownerServes(members, known.owner)) return known.owner;
    const owner = await this.read(slot);
    return owner !== undefined && ownerServes(members, owner) ? owner : undefined;
  }

  /** Whether this process has seen the slot change hands within the last minute. */
  isNew(slot: number): boolean {
    const seen = this.tokens.get(slot);
    return seen !== undefined && this.now() - seen.changedAt < newMs;
  }

  forget(slot: number): void {
    this.remembered.delete(slot);
    for (const reading of this.reading) if (reading.slot === slot) this.reading.delete(reading);
  }

  /** Resolves at the next change of members or slots, or after `ms`. */
  async change(ms: number, signal: Ending): Promise<void> {
    const changed = new AbortController();
    const tell = (): void => changed.abort();
    this.changed.add(tell);
    await pause(ms, signal, changed.signal);
    this.changed.delete(tell);
  }

  onChange(listener: () => void): void {
    this.changed.add(listener);
  }

  offChange(listener: () => void): void {
    this.changed.delete(listener);
  }

  private async readOn(redis: RedisClient, slot: number, isTracked: boolean): Promise<SlotOwner | undefined> {
    const reading = { slot };
    const readAt = this.now();
    this.reading.add(reading);
    try {
      const owner = await readOwner(redis, slot);
      if (owner !== undefined) this.seen(slot, owner.token);
      // `reading` is still in its set only if nothing changed between the read and its answer.
      if (this.reading.has(reading)) this.remembered.set(slot, { owner, readAt, isTracked });
      return owner;
    } finally {
      this.reading.delete(reading);
    }
  }

  private seen(slot: number, token: SlotToken): void {
    const before = this.tokens.get(slot);
    if (before?.token !== token) this.tokens.set(slot, { token, changedAt: before === undefined ? Number.NEGATIVE_INFINITY : this.now() });
  }

  private clear(): void {
    this.remembered.clear();
    this.reading.clear();
  }
}
