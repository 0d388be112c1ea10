import type { SessionId } from "../../shared/contract/ids.js";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { defaultTenant, isTenantName, type TenantName } from "../../shared/contract/tenant.js";
import { serverBusy } from "../../shared/contract/errors.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import { ownerServes, type SlotOwner } from "../../shared/cluster/ownership.js";
import type { SlotOwners } from "../bus/slot-owners.js";
import { slotOf } from "../../shared/cluster/slot.js";
import { pause } from "../../shared/flow/pause.js";
import { within } from "../../shared/flow/within.js";
import { keys } from "../../shared/redis/keys.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { RecordTexts } from "../../shared/session/record-texts.js";
import type { SessionState } from "../../shared/session/state.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { OpenedRecords } from "./opened-records.js";

/** What a router needs of a session. */
export interface StoredSession {
  id: SessionId;
  platform: Platform;
  /** SHA-256 of the `session-id`, hex. */
  secretHash: string;
  /** To whom it belongs, for ever. */
  tenant: TenantName;
  /**
   * True while a living owner has stamped the state with its token. A stored session that is not active answers
   * 500 `session not found` (variant B, "States and transitions").
   */
  active: boolean;
  /** That owner has been heard of within 10 s, as far as this process can see: what the state says of a connection is as fresh as that. */
  heard: boolean;
  state: SessionState;
  /** PNG as base64, or empty. */
  qrPng: string;
  /** Sealed settings of the webhook (`webhook-settings.ts`), empty when it is off. */
  webhook: string;
  /** Platform id of the account that was logged in last; empty before the first login. What is cached of an account's media names it. */
  lastAccount: string;
  owner: SlotOwner | undefined;
}

/** Of a stored record, what its caller must fit. */
export type StoredRight = Pick<StoredSession, "secretHash" | "tenant">;
/** `undefined`: there is no such record, which takes as long to find out. */
export type Admits = (record: StoredRight | undefined) => boolean;

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
  /** `owners`: who owned a slot a moment ago. */
  constructor(
    private readonly redis: RedisClient,
    private readonly members: Pick<MemberWatch, "lives" | "heard">,
    private readonly owners: Pick<SlotOwners, "atHand" | "read">,
    private readonly opened: Pick<OpenedRecords, "open">,
  ) {}

  /** `undefined` when there is no such session on this platform, or its record is not admitted. Rejects with 503 `server busy` when Redis does not answer for 5 s. */
  async read(platform: Platform, id: SessionId, admits: Admits = isThere): Promise<StoredSession | undefined> {
    const endsAt = performance.now() + redisWaitMs;
    // Commands that wait behind a stuck pipeline have not begun their own timeout: the wait is bounded here.
    return await within(this.readUntil(platform, id, admits, endsAt), redisWaitMs, serverBusy);
  }

  private async readUntil(platform: Platform, id: SessionId, admits: Admits, endsAt: number): Promise<StoredSession | undefined> {
    for (;;) {
      try {
        return await this.readOnce(platform, id, admits);
      } catch (error) {
        if (error instanceof UnreadableSession) throw error;
        if (performance.now() >= endsAt) throw serverBusy(error);
        await pause(redisPauseMs);
      }
    }
  }

  /**
   * The record is read each time, so that whoever has seen a write sees it here. A remembered owner is enough to call the session active, if it lives and has
   * stamped the record. That there is no owner is said only after a fresh read, made after the record's. A code's picture is read only where there can be
   * one. Who is not admitted waits for nothing beyond the record, as for one that is not there.
   */
  private async readOnce(platform: Platform, id: SessionId, admits: Admits): Promise<StoredSession | undefined> {
    const slot = slotOf(id);
    const [storedPlatform, secret, stamp, webhook, owningTenant, dataKey = null, sealedState = null, account = null, unreadable = null] =
      await this.redis.hmgetBuffer(
        keys.session(id),
        "platform",
        "secretHash",
        "tok",
        "wh",
        "tenant",
        "dk",
        "state",
        "account",
        "unreadable",
      );
    const secretHash = secret?.toString();
    const tenant = tenantOf(owningTenant?.toString());
    const isKnown =
      secretHash !== undefined && tenant !== undefined && storedPlatform?.toString() === platform && platforms.includes(platform);
    if (!admits(isKnown ? { secretHash, tenant } : undefined) || !isKnown) return undefined;
    const record = this.opened.open(id, { dataKey, state: sealedState, account, unreadable });
    if (record === undefined) throw new UnreadableSession("stored session state cannot be read");
    const { state, lastAccount, texts } = record;
    // Field by field: it is made for every command, and an object that is copied and then grows costs microseconds (bench/findings.md).
    const session = (active: boolean, owner: SlotOwner | undefined, qrPng: string): StoredSession => ({
      id,
      platform,
      secretHash,
      tenant,
      state,
      webhook: webhook?.toString() ?? "",
      lastAccount,
      active,
      heard: this.isHeard(owner),
      qrPng,
      owner,
    });
    const known = this.owners.atHand(slot);
    const token = stamp?.toString();
    const isOwned = isActive(token, known, this.members);
    if (isOwned && state.kind !== "awaiting-qr") return session(true, known, "");
    const [owner, picture] = await Promise.all([
      isOwned ? known : this.owners.read(slot),
      state.kind === "awaiting-qr" ? this.redis.getBuffer(keys.qr(id)) : null,
    ]);
    return session(isActive(token, owner, this.members), owner, openPicture(texts, picture));
  }

  private isHeard(owner: SlotOwner | undefined): boolean {
    return owner !== undefined && this.members.heard(owner.member, owner.incarnation);
  }

  /** A session that a timer deleted a day ago at most. Rejects with 503 `server busy` when Redis does not answer. */
  async readDeleted(id: SessionId): Promise<{ platform: Platform; tenant: TenantName } | undefined> {
    try {
      const [stored, owningTenant] = await this.redis.hmget(keys.trash(keys.session(id)), "platform", "tenant");
      const platform = platforms.find((known) => known === stored);
      const tenant = tenantOf(owningTenant);
      return platform === undefined || tenant === undefined ? undefined : { platform, tenant };
    } catch (error) {
      throw serverBusy(error);
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

/** To whom a stored session belongs. A text that was altered makes it nobody's. */
export function tenantOf(stored: string | null | undefined): TenantName | undefined {
  return stored == null ? defaultTenant : isTenantName(stored) ? stored : undefined;
}

/** Waiting does not help. */
class UnreadableSession extends Error {
  override readonly name = "UnreadableSession";
}
