import type { SessionId } from "../../shared/contract/ids.js";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import type { OfTenant, TenantLife } from "../../shared/contract/tenant.js";
import { storageUnavailable } from "../../shared/contract/errors.js";
import type { Ending } from "../../shared/flow/ending.js";
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

/** A session as routers need it. */
export interface StoredSession extends Omit<SessionRecord, "slot" | "stamp" | "texts"> {
  /**
   * True while a living owner has stamped the state with its token. An owned session that is not active gets 500 `session not found`
   * (variant B, "States and transitions").
   */
  active: boolean;
  /** True if this process has seen a living owner keep the slot for at least a minute. Otherwise a command waits for an owner. */
  owned: boolean;
  /** True if the owner has sent a heartbeat within 10 s. The connection state in the record is as fresh as that. */
  responsive: boolean;
  /** PNG as base64, or empty. */
  qrPng: string;
  owner: SlotOwner | undefined;
  /** The same object while this process serves the same reading of the record. */
  version: object;
}

/** A session in the trash. */
export interface DeletedSession extends TenantLife, OfTenant {
  readonly incarnation: string;
  readonly platform: Platform;
}

const activeWaitMs = 5_000;
const activePollMs = 50;
/** Longest wait for a Redis that restarts or fails over, with a retry after each pause. */
const redisWaitMs = 5_000;
const redisPauseMs = 250;

/** Returns true while a living owner has stamped the state with its token. */
export function isActive(stamp: string | null | undefined, owner: SlotOwner | undefined, members: Pick<MemberWatch, "lives">): boolean {
  return owner !== undefined && owner.token === stamp && ownerServes(members, owner);
}

/** Reads sessions for routers. Never writes. */
export class SessionReader {
  readonly former = new FormerRights();

  /** `owners`: recently known owners of slots. */
  constructor(
    private readonly redis: RedisClient,
    private readonly members: Pick<MemberWatch, "lives" | "isResponsive">,
    private readonly owners: Pick<SlotOwners, "atHand" | "read" | "isNew">,
    private readonly records: Pick<SessionRecords, "current" | "proven" | "read">,
    /** Checked before a session is reported as missing. */
    private readonly schema: Pick<SchemaFollower, "isWhole">,
  ) {}

  /** Returns the result of `read` if no read of Redis is needed: for an admitted, active session without a pending QR code. */
  atHand(platform: Platform, id: SessionId, admits: Admits): StoredSession | undefined {
    const record = this.records.current(id);
    // Wrong credentials take the time of a read, as an unknown id does.
    if (record?.platform !== platform || record.state.kind === "awaiting-qr" || !admits(record)) return undefined;
    const owner = this.owners.atHand(record.slot);
    return isActive(record.stamp, owner, this.members) ? this.shown(record, true, owner, "") : undefined;
  }

  /**
   * Resolves with `undefined` if this platform has no such session or the record is not admitted. Rejects with 503 `storage unavailable` if
   * Redis fails for 5 s, or if it has lost data and the record is missing.
   */
  async read(platform: Platform, id: SessionId, admits: Admits = isThere): Promise<StoredSession | undefined> {
    const cached = this.atHand(platform, id, admits);
    if (cached !== undefined) return cached;
    const endsAt = performance.now() + redisWaitMs;
    // Commands behind a stuck pipeline have not started their own timeout, so the wait is bounded here.
    return await within(this.readUntil(platform, id, admits, endsAt), redisWaitMs, storageUnavailable);
  }

  private async readUntil(platform: Platform, id: SessionId, admits: Admits, endsAt: number): Promise<StoredSession | undefined> {
    for (let general = false; ; general = true) {
      try {
        return await this.readOnce(platform, id, admits, general);
      } catch (error) {
        if (error instanceof UnreadableSession || error instanceof ApiError) throw error;
        if (performance.now() >= endsAt) throw storageUnavailable(error);
        // The tracked connection may fail by itself, so the general client is tried at once.
        if (general) await pause(redisPauseMs);
      }
    }
  }

  /**
   * A remembered living owner proves that the session is active. A missing owner needs a fresh read after the record's. A caller who is
   * not admitted gets the result after the record alone, as for an unknown id.
   */
  private async readOnce(platform: Platform, id: SessionId, admits: Admits, general: boolean): Promise<StoredSession | undefined> {
    const proven = general ? undefined : await this.records.proven(platform, id, admits);
    const record = proven ?? (await this.records.read(platform, id, admits, general));
    if (record === undefined) {
      await requireWhole(this.schema);
      return undefined;
    }
    const { slot, stamp, state } = record;
    const ownerAtHand = this.owners.atHand(slot);
    const isOwned = isActive(stamp, ownerAtHand, this.members);
    if (isOwned && state.kind !== "awaiting-qr") return this.shown(record, true, ownerAtHand, "");
    const [owner, picture] = await Promise.all([
      isOwned ? ownerAtHand : this.owners.read(slot),
      state.kind === "awaiting-qr" ? this.redis.getBuffer(keys.qr(id)) : null,
    ]);
    return this.shown(record, isActive(stamp, owner, this.members), owner, openPicture(record.texts, picture));
  }

  /** Built field by field for every request: an object that grows after a copy costs microseconds (bench/findings.md). */
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
      responsive: this.isResponsive(owner),
      qrPng,
      owner,
      version: record,
    };
  }

  private isOwned(slot: number, owner: SlotOwner | undefined): boolean {
    return owner !== undefined && ownerServes(this.members, owner) && !this.owners.isNew(slot);
  }

  private isResponsive(owner: SlotOwner | undefined): boolean {
    return owner !== undefined && this.members.isResponsive(owner.member, owner.incarnation);
  }

  /**
   * Reads a session in the trash, where it stays for at most a day. Rejects with 503 `storage unavailable` if Redis fails or has lost data.
   */
  async readDeleted(id: SessionId): Promise<DeletedSession | undefined> {
    try {
      const record = keys.trash(keys.session(id));
      const [stored, owningTenant, incarnation, created] = await this.redis.hmget(record, "platform", "tenant", "incarnation", "created");
      const platform = platforms.find((candidate) => candidate === stored);
      if (platform === undefined) await requireWhole(this.schema);
      const tenant = tenantOf(owningTenant);
      return platform === undefined || tenant === undefined
        ? undefined
        : { platform, tenant, incarnation: incarnation ?? "", madeAt: created ?? undefined };
    } catch (error) {
      throw error instanceof ApiError ? error : storageUnavailable(error);
    }
  }

  /** Polls until the session is active, for at most 5 s. Resolves with the last read, active or not. */
  async waitActive(platform: Platform, id: SessionId, signal?: Ending): Promise<StoredSession | undefined> {
    const endsAt = performance.now() + activeWaitMs;
    for (;;) {
      const session = await this.read(platform, id);
      if (session === undefined || session.active || performance.now() >= endsAt || signal?.aborted === true) return session;
      await pause(activePollMs);
    }
  }
}

const isThere: Admits = (record) => record !== undefined;

/** An altered picture counts as none. The next one comes within 30 s. */
function openPicture(texts: RecordTexts, stored: Buffer | null): string {
  try {
    return texts.open(stored, "qr");
  } catch (error) {
    if (error instanceof UnreadableRecord) return "";
    throw error;
  }
}
