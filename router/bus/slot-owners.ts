import { ownerServes, readOwner, type SlotOwner, type SlotToken } from "../../shared/cluster/ownership.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import type { Ending } from "../../shared/flow/ending.js";
import { pause } from "../../shared/flow/pause.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { channels, keys } from "../../shared/redis/keys.js";
import type { TrackedReads } from "./redis/invalidation-feed.js";
import type { OwnerPort } from "./owner-port.js";

export interface SlotOwnersOptions {
  /** While it does not track the key of a slot's owner, that owner is not at hand. */
  readonly feed: TrackedReads;
  /** Used if the tracked connection fails. */
  readonly redis: RedisClient;
  readonly subscriber: RedisClient;
  readonly members: Pick<MemberWatch, "lives" | "on" | "off">;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Longest effect of a lost notification of Redis. Notifications themselves take about a millisecond. */
export const rememberedMs = 2_000;
/** Lifetime of an owner as the target of a command. A wrong owner costs only a hop, because that shard rejects the command. */
const sentToMs = 5_000;

/** An owner that took the slot over within this time may still be loading its sessions. */
const newMs = 60_000;

interface Remembered {
  readonly owner: SlotOwner | undefined;
  /** Time before the read was sent. */
  readonly readAt: number;
  /** Redis reports changes of the key. */
  readonly isTracked: boolean;
}

/**
 * Owners of slots in this process's memory, at most 4096. A write in Redis or a `slots` message drops the entry. If both are lost, an
 * entry lasts 2 s, or 5 s as the target of a command. `ownerServes` checks separately whether the owner lives.
 */
export class SlotOwners implements OwnerPort {
  private readonly remembered = new Map<number, Remembered>();
  /** The latest token seen of each slot, and when it replaced another one. */
  private readonly tokens = new Map<number, { readonly token: SlotToken; readonly changedAt: number }>();
  /** Reads in flight. A read that a notification overtook leaves the set, and its result is not remembered. */
  private readonly reading = new Set<{ readonly slot: number }>();
  private readonly changed = new Set<() => void>();
  private readonly now: () => number;
  private readonly onMessage = (channel: string, message: string): void => {
    if (channel !== channels.slots) return;
    for (const slot of message.split(",")) this.forget(Number(slot));
    this.notify();
  };
  private readonly notify = (): void => {
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
    this.options.subscriber.on("message", this.onMessage);
    await this.options.subscriber.subscribe(channels.slots);
    this.options.members.on("change", this.notify);
  }

  stop(): void {
    this.options.subscriber.off("message", this.onMessage);
    this.options.members.off("change", this.notify);
  }

  /** Returns the remembered owner without I/O. Returns `undefined` if Redis must be read or the slot was never owned. */
  atHand(slot: number): SlotOwner | undefined {
    const remembered = this.remembered.get(slot);
    return remembered?.isTracked === true && this.now() - remembered.readAt < rememberedMs ? remembered.owner : undefined;
  }

  /** Reads the owner from Redis; `undefined` if the slot was never owned. */
  async read(slot: number): Promise<SlotOwner | undefined> {
    const { feed, redis } = this.options;
    const tracked = feed.at(keys.owner(slot));
    if (tracked === undefined) return await this.readOn(redis, slot, false);
    try {
      return await this.readOn(tracked.redis, slot, true);
    } catch {
      // The tracked connection may fail by itself. The general client also gives the right error if Redis is down.
      return await this.readOn(redis, slot, false);
    }
  }

  /** Returns the slot's living owner, to which a command is sent, or `undefined` while there is none. */
  async owner(slot: number): Promise<SlotOwner | undefined> {
    const { members } = this.options;
    const remembered = this.remembered.get(slot);
    const isFresh = remembered !== undefined && this.now() - remembered.readAt < sentToMs;
    if (isFresh && remembered.owner !== undefined && ownerServes(members, remembered.owner)) return remembered.owner;
    const owner = await this.read(slot);
    return owner !== undefined && ownerServes(members, owner) ? owner : undefined;
  }

  /** Returns whether this process has seen the slot change owner within the last minute. */
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
    const onChange = (): void => changed.abort();
    this.changed.add(onChange);
    await pause(ms, signal, changed.signal);
    this.changed.delete(onChange);
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
      // `reading` is still in the set only if nothing changed during the read.
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
