import typia from "typia";
import type { SessionId } from "../contract/ids.js";
import { platforms, type Platform } from "../contract/platform.js";
import type { WebhookSettings } from "../contract/session.js";
import type { MemberWatch } from "../cluster/member-watch.js";
import { toOwner, type SlotOwner } from "../cluster/ownership.js";
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
  webhook: WebhookSettings;
  owner: SlotOwner | undefined;
}

const activeWaitMs = 5_000;
const activePollMs = 50;
const isState = typia.json.createIsParse<SessionState>();

/** Reads sessions for routers: never writes, never decrypts. */
export class SessionReader {
  constructor(
    private readonly redis: RedisClient,
    private readonly members: Pick<MemberWatch, "lives">,
  ) {}

  /** `undefined` when there is no such session on this platform. Rejects when Redis does not answer. */
  async read(platform: Platform, id: SessionId): Promise<StoredSession | undefined> {
    const [session, owner, qrPng] = await Promise.all([
      this.redis.hmget(keys.session(id), "platform", "secretHash", "tok", "state"),
      this.redis.hmget(keys.owner(slotOf(id)), "m", "inc", "tok", "st"),
      this.redis.get(keys.qr(id)),
    ]);
    const [storedPlatform, secretHash, stamp, stateText] = session;
    if (secretHash == null || storedPlatform !== platform || !platforms.includes(platform)) return undefined;
    const slotOwner = toOwner(owner);
    const state = stateText == null ? null : isState(stateText);
    if (state === null) throw new Error("stored session state cannot be read");
    const active =
      slotOwner !== undefined && slotOwner.state !== "free" && slotOwner.token === stamp && this.members.lives(slotOwner.member, slotOwner.incarnation);
    return {
      id,
      platform,
      secretHash,
      active,
      state,
      qrPng: state.kind === "awaiting-qr" ? (qrPng ?? "") : "",
      webhook: { url: "", token: "" },
      owner: slotOwner,
    };
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
