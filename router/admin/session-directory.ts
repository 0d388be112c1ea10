import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import { readOwners, type SlotOwner } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/contract/slot.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { isPlatform } from "../../shared/contract/platform.js";
import type { Count } from "../../shared/contract/plain-values.js";
import { defaultTenant, isSameTenant, isTenantName, type OfTenant } from "../../shared/contract/tenant.js";
import { slotCount } from "../../shared/limits.js";
import { keys } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { script } from "../../shared/redis/script.js";
import { integer, tuple } from "../../shared/redis/script-reply.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { SchemaFollower } from "../../shared/cluster/schema/schema-follower.js";
import { RecordTexts } from "../../shared/session/record-texts.js";
import { isUnreadable } from "../../shared/session/state.js";
import { openState } from "../../shared/session/stored-state.js";
import { parseSummary, summaryOf, type SessionSummary } from "../../shared/session/summary.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import { requireWhole } from "../sessions/require-whole.js";
import type { Page } from "./page.js";
import { formatCursor, type SessionCursor } from "./session-cursor.js";
import { matches, onlySession, type SessionFilter } from "./session-filter.js";
import { sessionRow, type FoundRow, type RowRecord, type SessionRow } from "./session-row.js";

/** Events of a session that are not delivered yet. */
export interface UndeliveredEvents {
  /** Pending events. */
  events: Count;
  /** Failed events that can be replayed. */
  deadLetters: Count;
}

/** One session with what waits for its receiver. */
export interface SessionRowWithQueue extends SessionRow {
  /** Events that are not delivered yet. */
  queue: UndeliveredEvents;
}

export interface DirectoryBounds {
  /** Slots per step: one script reads their owners, one pipeline their sessions. */
  readonly slots: number;
  /** Records per pipeline. */
  readonly records: number;
  /** Most records read for one page, whether they match the filter or not. */
  readonly scanned: number;
  /** Time after which a page ends with what it has, ms. */
  readonly pageMs: number;
}

const defaultBounds: DirectoryBounds = { slots: 128, records: 100, scanned: 4_000, pageMs: 2_000 };

const readBacklog = script<[outbox: string, deadLetters: string], [], [ageMs: number, events: number, deadLetters: number]>(
  new URL("./scripts/backlog.lua", import.meta.url),
  tuple(integer, integer, integer),
);

/**
 * All stored sessions, for operators. Lists walk the slots in small pipelines, so neither Redis nor this process blocks. A page ends when
 * it is full or has read enough, so it may be short or empty.
 */
export class SessionDirectory {
  private readonly bounds: DirectoryBounds;

  constructor(
    private readonly redis: RedisClient,
    private readonly members: Pick<MemberWatch, "lives" | "isResponsive">,
    private readonly ring: Pick<KeyRing, "open">,
    /** Checked before a session is reported as missing. */
    private readonly schema: Pick<SchemaFollower, "isWhole">,
    bounds: Partial<DirectoryBounds> = {},
  ) {
    this.bounds = { ...defaultBounds, ...bounds };
  }

  /**
   * Resolves with `undefined` if the session does not exist or its owner is not admitted. Rejects with 503 `storage unavailable` if the
   * record is missing and Redis has lost data.
   */
  async get(id: SessionId, admits: (owner: OfTenant) => boolean): Promise<SessionRowWithQueue | undefined> {
    const slot = slotOf(id);
    const [owner] = await readOwners(this.redis, [slot]);
    const [record] = await this.records([id]);
    if (record === undefined) {
      await requireWhole(this.schema);
      return undefined;
    }
    if (!admits(record)) return undefined;
    const [ageMs, events, deadLetters] = await this.backlog(id);
    const row = sessionRow(record, slot, owner, this.members);
    return { ...row, webhookLag: Math.floor(ageMs / 1_000), queue: { events, deadLetters } };
  }

  /** Rejects with 503 `storage unavailable` if Redis has lost data, because missing sessions would pass for deleted ones. */
  async page(filter: SessionFilter, from: SessionCursor, limit: number, signal: AbortSignal): Promise<Page<SessionRow>> {
    const only = onlySession(filter);
    const { found, next } = only === undefined ? await this.walk(filter, from, limit, signal) : await this.single(filter, only);
    const docs = await this.withLags(found);
    await requireWhole(this.schema);
    return { docs, next };
  }

  private async withLags(found: readonly FoundRow[]): Promise<SessionRow[]> {
    const rows: SessionRow[] = [];
    for (let start = 0; start < found.length; start += this.bounds.records) {
      const part = found.slice(start, start + this.bounds.records).map(async (row) => {
        const [ageMs] = await this.backlog(row.id);
        return { ...row, webhookLag: Math.floor(ageMs / 1_000) };
      });
      rows.push(...(await Promise.all(part)));
    }
    return rows;
  }

  private async single(filter: SessionFilter, id: SessionId): Promise<{ found: FoundRow[]; next: string }> {
    const slot = slotOf(id);
    const [owner] = await readOwners(this.redis, [slot]);
    const [record] = await this.records([id]);
    const row = record === undefined ? undefined : this.fitting(filter, record, slot, owner);
    return { found: row === undefined ? [] : [row], next: "" };
  }

  private async walk(
    filter: SessionFilter,
    start: SessionCursor,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ found: FoundRow[]; next: string }> {
    const endsAt = performance.now() + this.bounds.pageMs;
    const found: FoundRow[] = [];
    let at = start;
    let scanned = 0;
    // A page always makes progress, even if Redis is slow.
    const isOver = (): boolean => found.length >= limit || scanned >= this.bounds.scanned || (at !== start && performance.now() >= endsAt);
    while (at.slot < slotCount && !isOver()) {
      const { ids, owners, end } = await this.scan(filter, at);
      while (ids.length > 0 && !isOver()) {
        signal.throwIfAborted();
        const part = ids.splice(0, Math.min(this.bounds.records, this.bounds.scanned - scanned));
        const records = new Map((await this.records(part)).map((record) => [record.id, record]));
        for (const [index, id] of part.entries()) {
          scanned += 1;
          at = { slot: slotOf(id), id };
          const record = records.get(id);
          const row = record === undefined ? undefined : this.fitting(filter, record, at.slot, owners.get(at.slot));
          if (row !== undefined) found.push(row);
          if (found.length < limit) continue;
          ids.unshift(...part.slice(index + 1));
          break;
        }
      }
      if (ids.length === 0) at = { slot: end, id: "" };
    }
    return { found, next: formatCursor(at) };
  }

  /** Reads the sessions of the next slots in order, and the slots' owners. Skips slots of members that the filter excludes. */
  private async scan(filter: SessionFilter, at: SessionCursor): Promise<{ ids: SessionId[]; owners: Map<number, SlotOwner>; end: number }> {
    const end = Math.min(slotCount, at.slot + this.bounds.slots);
    const slots = Array.from({ length: end - at.slot }, (_, index) => at.slot + index);
    const owners = new Map<number, SlotOwner>();
    (await readOwners(this.redis, slots)).forEach((owner, index) => {
      if (owner !== undefined) owners.set(at.slot + index, owner);
    });
    const wanted = slots.filter((slot) => filter.member === undefined || owners.get(slot)?.member === filter.member);
    const sets = await Promise.all(wanted.map((slot) => this.redis.smembers(keys.slotSessions(slot))));
    const ids = sets.flatMap((ids, index) => ids.sort().filter((id) => wanted[index] !== at.slot || id > at.id)) as SessionId[];
    return { ids, owners, end };
  }

  private fitting(filter: SessionFilter, record: RowRecord, slot: number, owner: SlotOwner | undefined): FoundRow | undefined {
    if (filter.owner !== undefined && !isSameTenant(filter.owner, record)) return undefined;
    const row = sessionRow(record, slot, owner, this.members);
    return matches(filter, { ...row, webhookLag: 0 }, record.summary.username) ? row : undefined;
  }

  /** Reads the records that still exist, in one pipeline. A new session has no summary yet. */
  private async records(ids: readonly SessionId[]): Promise<RowRecord[]> {
    const rows = await Promise.all(
      ids.map(async (id) => ({
        id,
        row: await this.redis.hmgetBuffer(
          keys.session(id),
          "platform",
          "tok",
          "tenant",
          "created",
          "dk",
          "summary",
          "label",
          "incarnation",
        ),
      })),
    );
    const records = await Promise.all(
      rows.map(async ({ id, row: [stored, stamp, owning, created, dataKey, sealedSummary, sealedLabel, life] }): Promise<RowRecord[]> => {
        const [platform, tenant] = [stored?.toString(), owning?.toString()];
        if (!isPlatform(platform)) return [];
        const texts = new RecordTexts(this.ring, id, dataKey);
        const summary =
          parseSummary(openOrEmpty(texts, sealedSummary, "summary")) ?? (await this.summaryOf(id, texts, created?.toString() ?? ""));
        if (summary === undefined) return [];
        const label = openOrEmpty(texts, sealedLabel, "label");
        const owner = { tenant: isTenantName(tenant) ? tenant : defaultTenant, incarnation: life?.toString() ?? "" };
        return [{ id, platform, stamp: stamp?.toString() ?? "", ...owner, label, summary }];
      }),
    );
    return records.flat();
  }

  private async summaryOf(id: SessionId, texts: RecordTexts, created: string): Promise<SessionSummary | undefined> {
    const state = openState(texts, await this.redis.hgetBuffer(keys.session(id), "state"));
    const since = new Date(created);
    if (state === undefined || Number.isNaN(since.getTime())) return undefined;
    return summaryOf(state, { since, lastError: isUnreadable(state) ? "stored record cannot be opened" : "" });
  }

  private async backlog(id: SessionId): Promise<[ageMs: number, events: number, deadLetters: number]> {
    return await readBacklog(this.redis, [keys.outbox(id), keys.deadLetters(id)], []);
  }
}

/** Returns an empty text if it cannot be decrypted, because the session still exists. */
function openOrEmpty(texts: RecordTexts, stored: Buffer | null | undefined, field: string): string {
  try {
    return texts.open(stored, field);
  } catch (error) {
    if (error instanceof UnreadableRecord) return "";
    throw error;
  }
}
