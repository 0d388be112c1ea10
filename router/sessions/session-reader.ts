import type { SessionId } from "../../shared/contract/ids.js";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import type { OfTenant, TenantLife } from "../../shared/contract/tenant.js";
import { serverBusy } from "../../shared/contract/errors.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import { ownerServes, type SlotOwner } from "../../shared/cluster/ownership.js";
import { ApiError } from "../../shared/contract/api-error.js";
import type { SchemaFollower } from "../../shared/cluster/schema/schema-follower.js";
import type { SlotOwners } from "../bus/slot-owners.js";
import { pause } from "../../shared/flow/pause.js";
import { within } from "../../shared/flow/within.js";
import { keys } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { RecordTexts } from "../../shared/session/record-texts.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import { FormerRights } from "./former-rights.js";
import { requireWhole } from "./require-whole.js";
import { tenantOf, UnreadableSession, type Admits, type SessionRecord, type SessionRecords } from "./session-records.js";

/** What a router needs of a session. */
export interface StoredSession extends Omit<SessionRecord, "slot" | "stamp" | "texts"> {
  /**
   * True while a living owner has stamped the state with its token. A stored session that is owned and not active answers
   * 500 `session not found` (variant B, "States and transitions").
   */
  active: boolean;
  /** A living owner has had the slot for a minute or longer, as far as this process has seen. A command waits for another owner, and for one that is still loading. */
  owned: boolean;
  /** That owner has been heard of within 10 s, as far as this process can see: what the state says of a connection is as fresh as that. */
  heard: boolean;
  /** PNG as base64, or empty. */
  qrPng: string;
  owner: SlotOwner | undefined;
  /** The same object for as long as this process serves one reading of the record. */
  version: object;
}

/** A session in the trash. */
export interface DeletedSession extends TenantLife, OfTenant {
  readonly incarnation: string;
  readonly platform: Platform;
}

const activeWaitMs = 5_000;
const activePollMs = 50;
/** A Redis that restarts or fails over is waited for so long, with a look every so often. */
const redisWaitMs = 5_000;
const redisPauseMs = 250;

/** True while a living owner has stamped the state with its token. */
export function isActive(stamp: string | null | undefined, owner: SlotOwner | undefined, members: Pick<MemberWatch, "lives">): boolean {
  return owner !== undefined && owner.token === stamp && ownerServes(members, owner);
}

/** Reads sessions for routers: never writes. */
export class SessionReader {
  readonly former = new FormerRights();

  /** `owners`: who owned a slot a moment ago. */
  constructor(
    private readonly redis: RedisClient,
    private readonly members: Pick<MemberWatch, "lives" | "heard">,
    private readonly owners: Pick<SlotOwners, "atHand" | "read" | "isNew">,
    private readonly records: Pick<SessionRecords, "current" | "proven" | "read">,
    /** Asked before a session is said not to be there. */
    private readonly schema: Pick<SchemaFollower, "isWhole">,
  ) {}

  /** What `read` would give, where this process can tell without asking Redis: an active session that needs no picture, and that is admitted. */
  atHand(platform: Platform, id: SessionId, admits: Admits): StoredSession | undefined {
    const record = this.records.current(id);
    // Who is not admitted is answered in the time that a read takes, as for a session that is not there.
    if (record?.platform !== platform || record.state.kind === "awaiting-qr" || !admits(record)) return undefined;
    const owner = this.owners.atHand(record.slot);
    return isActive(record.stamp, owner, this.members) ? this.shown(record, true, owner, "") : undefined;
  }

  /**
   * `undefined` when there is no such session on this platform, or its record is not admitted. Rejects with 503 `server busy` when Redis does not answer for 5 s, and where no such record is in
   * a Redis that has lost what it held: nobody knows then what there is.
   */
  async read(platform: Platform, id: SessionId, admits: Admits = isThere): Promise<StoredSession | undefined> {
    const known = this.atHand(platform, id, admits);
    if (known !== undefined) return known;
    const endsAt = performance.now() + redisWaitMs;
    // Commands that wait behind a stuck pipeline have not begun their own timeout: the wait is bounded here.
    return await within(this.readUntil(platform, id, admits, endsAt), redisWaitMs, serverBusy);
  }

  private async readUntil(platform: Platform, id: SessionId, admits: Admits, endsAt: number): Promise<StoredSession | undefined> {
    for (let general = false; ; general = true) {
      try {
        return await this.readOnce(platform, id, admits, general);
      } catch (error) {
        if (error instanceof UnreadableSession || error instanceof ApiError) throw error;
        if (performance.now() >= endsAt) throw serverBusy(error);
        // The tracked connection has its own troubles: the general one is asked at once.
        if (general) await pause(redisPauseMs);
      }
    }
  }

  /**
   * A remembered owner is enough to call the session active, if it lives and has stamped the record. That there is no owner is said only after a fresh read, made after the record's.
   * A code's picture is read only where there can be one. Who is not admitted waits for nothing beyond the record, as for one that is not there.
   */
  private async readOnce(platform: Platform, id: SessionId, admits: Admits, general: boolean): Promise<StoredSession | undefined> {
    const proven = general ? undefined : await this.records.proven(platform, id, admits);
    const record = proven ?? (await this.records.read(platform, id, admits, general));
    if (record === undefined) {
      await requireWhole(this.schema);
      return undefined;
    }
    const { slot, stamp, state } = record;
    const known = this.owners.atHand(slot);
    const isOwned = isActive(stamp, known, this.members);
    if (isOwned && state.kind !== "awaiting-qr") return this.shown(record, true, known, "");
    const [owner, picture] = await Promise.all([
      isOwned ? known : this.owners.read(slot),
      state.kind === "awaiting-qr" ? this.redis.getBuffer(keys.qr(id)) : null,
    ]);
    return this.shown(record, isActive(stamp, owner, this.members), owner, openPicture(record.texts, picture));
  }

  /** Field by field: it is made for every request, and an object that is copied and then grows costs microseconds (bench/findings.md). */
  private shown(record: SessionRecord, active: boolean, owner: SlotOwner | undefined, qrPng: string): StoredSession {
    const { id, slot, platform, secretHash, tenant, incarnation, state, webhook, lastAccount, lastError } = record;
    return {
      id,
      platform,
      secretHash,
      tenant,
      incarnation,
      state,
      webhook,
      lastAccount,
      lastError,
      active,
      owned: active || this.isOwned(slot, owner),
      heard: this.isHeard(owner),
      qrPng,
      owner,
      version: record,
    };
  }

  private isOwned(slot: number, owner: SlotOwner | undefined): boolean {
    return owner !== undefined && ownerServes(this.members, owner) && !this.owners.isNew(slot);
  }

  private isHeard(owner: SlotOwner | undefined): boolean {
    return owner !== undefined && this.members.heard(owner.member, owner.incarnation);
  }

  /** A session that a timer deleted a day ago at most. Rejects with 503 `server busy` when Redis does not answer, or has lost what it held. */
  async readDeleted(id: SessionId): Promise<DeletedSession | undefined> {
    try {
      const record = keys.trash(keys.session(id));
      const [stored, owningTenant, incarnation, created] = await this.redis.hmget(record, "platform", "tenant", "incarnation", "created");
      const platform = platforms.find((known) => known === stored);
      if (platform === undefined) await requireWhole(this.schema);
      const tenant = tenantOf(owningTenant);
      return platform === undefined || tenant === undefined
        ? undefined
        : { platform, tenant, incarnation: incarnation ?? "", madeAt: created ?? undefined };
    } catch (error) {
      throw error instanceof ApiError ? error : serverBusy(error);
    }
  }

  /** Reads until the session is active, 5 s at most; then the last read, active or not. */
  async waitActive(platform: Platform, id: SessionId, signal?: AbortSignal): Promise<StoredSession | undefined> {
    const endsAt = performance.now() + activeWaitMs;
    for (;;) {
      const session = await this.read(platform, id);
      if (session === undefined || session.active || performance.now() >= endsAt || signal?.aborted === true) return session;
      await pause(activePollMs);
    }
  }
}

const isThere: Admits = (record) => record !== undefined;

/** One that was altered is none: the next one comes within 30 s. */
function openPicture(texts: RecordTexts, stored: Buffer | null): string {
  try {
    return texts.open(stored, "qr");
  } catch (error) {
    if (error instanceof UnreadableRecord) return "";
    throw error;
  }
}
