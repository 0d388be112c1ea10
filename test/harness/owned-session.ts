import { randomBytes } from "node:crypto";
import { acquire, type SlotToken } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/contract/slot.js";
import { newSessionId, type SessionId } from "../../shared/contract/ids.js";
import { KeyRing } from "../../shared/config/key-ring.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { SessionLife } from "../../shared/session/summary.js";
import { SessionWriter } from "../../shard/session/store/session-writer.js";
import { newSession } from "./new-session.js";

export const testRingText = `a:${randomBytes(32).toString("base64")}`;
export const testRing = KeyRing.parse(testRingText);

/** For sessions of which a test checks only the state. */
export const anyLife: SessionLife = { since: new Date(0), lastError: "" };

export interface OwnedSession {
  readonly writer: SessionWriter;
  readonly id: SessionId;
  readonly token: SlotToken;
}

/** Creates a stored Telegram session whose slot belongs to member `a`. */
export async function ownedSession(redis: RedisClient): Promise<OwnedSession> {
  const writer = new SessionWriter(redis, testRing);
  const id = newSessionId(Date.now());
  const owned = await acquire(redis, slotOf(id), { name: "a", incarnation: "i1", host: "h1" }, undefined);
  const token = owned?.token ?? ("" as SlotToken);
  await writer.create({ id, token }, "telegram", newSession("hash"), new Date());
  return { writer, id, token };
}

/** Moves the session's slot from member `a`, which is dead, to member `b`. */
export async function takeOver(redis: RedisClient, id: SessionId): Promise<SlotToken> {
  const taken = await acquire(redis, slotOf(id), { name: "b", incarnation: "j1", host: "h1" }, { name: "a", incarnation: "i1" });
  return taken?.token ?? ("" as SlotToken);
}
