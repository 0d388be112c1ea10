import { LRUCache } from "lru-cache";
import { rememberedMs, type SlotOwners } from "../bus/slot-owners.js";
import type { SlotOwner } from "../../shared/cluster/ownership.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import { slotOf } from "../../shared/cluster/slot.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { TenantName } from "../../shared/contract/tenant.js";
import type { TrackedReads } from "../redis/invalidation-feed.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import type { OpenedRecords } from "../session/opened-records.js";
import { isActive, tenantOf, type StoredSession } from "../session/session-reader.js";
import type { SessionState } from "../../shared/session/state.js";

/** What a media request needs to know of a session. */
export interface MediaSession {
  /** As in `StoredSession`: a living owner has stamped the state with its token. */
  readonly active: boolean;
  readonly kind: SessionState["kind"];
  readonly lastAccount: string;
  readonly tenant: TenantName;
}

export interface SessionMemoryOptions {
  readonly platform: Platform;
  /** While it does not track a session's record, that is not remembered, and every read asks Redis. */
  readonly feed: TrackedReads;
  /** Asked where no read is tracked. */
  readonly redis: RedisClient;
  readonly owners: Pick<SlotOwners, "atHand" | "read">;
  /** Where Redis does not answer at once: waits for it, with its own bound. */
  readonly reader: { read(platform: Platform, id: SessionId): Promise<StoredSession | undefined> };
  readonly members: Pick<MemberWatch, "lives">;
  readonly opened: Pick<OpenedRecords, "open">;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

const sessionsMax = 10_000;

/**
 * Sessions as media requests need them, in this process's memory. Redis tells of every write to what was read (client-side caching), which
 * takes effect here within a millisecond or so; should that fail unnoticed, what is remembered lasts 2 s. Whether the owner lives is never remembered:
 * the member watch is asked at every look. A session that is not there, was deleted or belongs to another platform is not remembered either, so
 * that a new one is seen at once.
 */
export class SessionMemory {
  private readonly sessions = new LRUCache<SessionId, Remembered>({ max: sessionsMax });
  /** Reads under way. One that a message has overtaken leaves its set and is not remembered. */
  private readonly reading = new Set<{ readonly id: SessionId }>();
  private readonly now: () => number;

  constructor(private readonly options: SessionMemoryOptions) {
    this.now = options.now ?? (() => performance.now());
    options.feed.onKeys((key) => this.changed(key));
    options.feed.onLost(() => this.clear());
  }

  /** Sessions remembered now. */
  get size(): number {
    return this.sessions.size;
  }

  /** Without I/O; `undefined` where Redis has to be asked. */
  atHand(id: SessionId): MediaSession | undefined {
    const session = this.sessions.get(id);
    if (session === undefined || this.now() - session.readAt >= rememberedMs) return undefined;
    const owner = this.options.owners.atHand(session.slot);
    return owner && this.shown(session, owner);
  }

  /** As Redis has it now. Rejects as `SessionReader` does. */
  async read(id: SessionId): Promise<MediaSession | undefined> {
    const { platform, reader } = this.options;
    try {
      return await this.readTracked(id);
    } catch {
      // Whatever it was: the reader has its own patience, and its own words for a Redis that does not answer.
      const session = await reader.read(platform, id);
      return session && { active: session.active, kind: session.state.kind, lastAccount: session.lastAccount, tenant: session.tenant };
    }
  }

  private async readTracked(id: SessionId): Promise<MediaSession | undefined> {
    const { feed, redis, owners, platform, opened } = this.options;
    const slot = slotOf(id);
    const reading = { id };
    const tracked = feed.at(keys.session(id));
    const asked = tracked ?? redis;
    this.reading.add(reading);
    try {
      const readAt = this.now();
      const [row, owner] = await Promise.all([
        asked.hmgetBuffer(keys.session(id), "platform", "tok", "tenant", "dk", "state", "account", "unreadable"),
        owners.read(slot),
      ]);
      const [storedPlatform, stamp, owningTenant, dataKey = null, sealedState = null, account = null, unreadable = null] = row;
      const tenant = tenantOf(owningTenant?.toString());
      if (storedPlatform?.toString() !== platform || sealedState === null || tenant === undefined) return undefined;
      const record = opened.open(id, { dataKey, state: sealedState, account, unreadable });
      if (record === undefined) throw new Error("stored session state cannot be read");
      const { state, lastAccount } = record;
      const session: Remembered = { slot, stamp: stamp?.toString() ?? "", kind: state.kind, lastAccount, tenant, readAt };
      // `reading` is still in its set only if nothing changed between the read and its answer.
      if (tracked !== undefined && this.reading.has(reading) && state.kind !== "deleted") this.sessions.set(id, session);
      return this.shown(session, owner);
    } finally {
      this.reading.delete(reading);
    }
  }

  private shown({ stamp, kind, lastAccount, tenant }: Remembered, owner: SlotOwner | undefined): MediaSession {
    return { active: isActive(stamp, owner, this.options.members), kind, lastAccount, tenant };
  }

  private changed(key: string): void {
    const id = /^s:\{\d+\}:(.+)$/.exec(key)?.[1];
    if (id === undefined) return;
    this.sessions.delete(id as SessionId);
    for (const reading of this.reading) if (reading.id === id) this.reading.delete(reading);
  }

  private clear(): void {
    this.sessions.clear();
    this.reading.clear();
  }
}

interface Remembered extends Omit<MediaSession, "active"> {
  readonly slot: number;
  readonly stamp: string;
  /** Before the read was sent. */
  readonly readAt: number;
}
