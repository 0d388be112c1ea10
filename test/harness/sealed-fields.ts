import { randomBytes } from "node:crypto";
import type { SessionId } from "../../shared/contract/ids.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import { dataKeyContext } from "../../shared/session/data-key.js";
import { SessionKey } from "../../shared/session/session-key.js";
import { testRing } from "./owned-session.js";

/** Returns fields of a session's record as its owner seals them, with their data key. */
export function sealedFields<F extends string>(
  id: SessionId,
  fields: Readonly<Record<F, string>>,
  ring: KeyRing = testRing,
): Record<F | "dk", Buffer | string> {
  const bytes = randomBytes(32);
  const key = new SessionKey(id, bytes);
  const sealed = Object.entries<string>(fields).map(([field, text]) => [field, key.sealText(text, field)]);
  return { dk: ring.seal(bytes, dataKeyContext(id)), ...(Object.fromEntries(sealed) as Record<F, Buffer>) };
}
