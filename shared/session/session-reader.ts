import typia from "typia";
import type { SessionId } from "../contract/ids.js";
import { platforms, type Platform } from "../contract/platform.js";
import { serverBusy } from "../contract/errors.js";
import type { MemberWatch } from "../cluster/member-watch.js";
import { ownerServes, readOwner, type SlotOwner } from "../cluster/ownership.js";
import { slotOf } from "../cluster/slot.js";
import { keys } from "../redis/keys.js";
import type { RedisClient } from "../redis/connect.js";
import type { SessionState } from "./state.js";

/** What a router needs of a session, in one round trip. */
export interface StoredSession {
  id: SessionId;
  platform: Platform;
  /** SHA-256 of the `session-id`, hex. */
  secretHash: string;
  /**
   * True while a living owner has stamped the state with its token. A stored session that is not active answers
   * 500 `session not found` (variant B, "States and transitions").
   */
  active: boolean;
  state: SessionState;
  /** PNG as base64, or empty. */
  qrPng: string;
  /** Sealed settings of the webhook (`webhook-settings.ts`), empty when it is off. */
  webhook: string;
  /** Platform id of the account that was logged in last; empty before the first login. What is cached of an account's media names it. */
  lastAccount: string;
  owner: SlotOwner | undefined;
}

const activeWaitMs = 5_000;
const activePollMs = 50;
/** A Redis that restarts or fails over is waited for so long, with a look every so often. */
const redisWaitMs = 5_000;
const redisPauseMs = 250;
type SessionRows = [session: (string | null)[], owner: SlotOwner | undefined, qrPng: string | null];
const isState = typia.json.createIsParse<SessionState>();

/** True while a living owner has stamped the state with its token. */
export function isActive(stamp: string | null | undefined, owner: SlotOwner | undefined, members: Pick<MemberWatch, "lives">): boolean {
  return owner !== undefined && owner.token === stamp && ownerServes(members, owner);
}

/** Reads sessions for routers: never writes, never decrypts. */
export class SessionReader {
  constructor(
    private readonly redis: RedisClient,
    private readonly members: Pick<MemberWatch, "lives">,
  ) {}

  /** `undefined` when there is no such session on this platform. Rejects with 503 `server busy` when Redis does not answer for 5 s. */
  async read(platform: Platform, id: SessionId): Promise<StoredSession | undefined> {
    const [session, owner, qrPng] = await this.rows(id);
    const [storedPlatform, secretHash, stamp, stateText, lastAccount, webhook] = session;
    if (secretHash == null || storedPlatform !== platform || !platforms.includes(platform)) return undefined;
    const state = stateText == null ? null : isState(stateText);
    if (state === null) throw new Error("stored session state cannot be read");
    return {
      id,
      platform,
      secretHash,
      active: isActive(stamp, owner, this.members),
      state,
      qrPng: state.kind === "awaiting-qr" ? (qrPng ?? "") : "",
      webhook: webhook ?? "",
      lastAccount: lastAccount ?? "",
      owner,
    };
  }

  private async rows(id: SessionId): Promise<SessionRows> {
    let timer: NodeJS.Timeout | undefined;
    // Commands that wait behind a stuck pipeline have not begun their own timeout: the wait is bounded here.
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(serverBusy()), redisWaitMs);
    });
    const endsAt = performance.now() + redisWaitMs;
    try {
      return await Promise.race([this.rowsUntil(id, endsAt), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async rowsUntil(id: SessionId, endsAt: number): Promise<SessionRows> {
    for (;;) {
      try {
        return await Promise.all([
          this.redis.hmget(keys.session(id), "platform", "secretHash", "tok", "state", "account", "wh"),
          readOwner(this.redis, slotOf(id)),
          this.redis.get(keys.qr(id)),
        ]);
      } catch (error) {
        if (performance.now() >= endsAt) throw serverBusy(error);
        await new Promise((resolve) => setTimeout(resolve, redisPauseMs));
      }
    }
  }

  /** Reads until the session is active, 5 s at most; then the last read, active or not. */
  async waitActive(platform: Platform, id: SessionId, signal?: AbortSignal): Promise<StoredSession | undefined> {
    const endsAt = performance.now() + activeWaitMs;
    for (;;) {
      const session = await this.read(platform, id);
      if (session === undefined || session.active || performance.now() >= endsAt || signal?.aborted === true) return session;
      await new Promise((resolve) => setTimeout(resolve, activePollMs));
    }
  }
}
