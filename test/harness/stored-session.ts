import type { SessionId } from "../../shared/contract/ids.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { RecordTexts } from "../../shared/session/record-texts.js";
import type { SessionKey } from "../../shared/session/session-key.js";
import type { SessionState } from "../../shared/session/state.js";
import { openState } from "../../shared/session/stored-state.js";
import { testRing } from "./owned-session.js";

/** Reads the state of a session from Redis with the key ring. */
export async function storedState(redis: RedisClient, id: SessionId, ring: KeyRing = testRing): Promise<SessionState | undefined> {
  const [state, dataKey] = await redis.hmgetBuffer(keys.session(id), "state", "dk");
  return openState(new RecordTexts(ring, id, dataKey), state);
}

/** Returns the key that seals a session's values and hashes its names. */
export async function storedKey(redis: RedisClient, id: SessionId, ring: KeyRing = testRing): Promise<SessionKey> {
  return new RecordTexts(ring, id, await redis.hgetBuffer(keys.session(id), "dk")).key;
}
