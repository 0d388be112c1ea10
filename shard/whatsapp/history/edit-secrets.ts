import type { proto } from "@whiskeysockets/baileys";
import typia from "typia";
import type { HistoryEntry } from "../../session/session-context.js";

/** Returns what the history keeps of a message for its later edits; `undefined` for a message without a secret. */
export function editSecretOf({ messageContextInfo }: proto.IMessage): HistoryEntry["secret"] {
  const secret = messageContextInfo?.messageSecret;
  return secret?.length === secretBytes ? Buffer.from(secret).toString("base64") : undefined;
}

/** Returns the secrets of the messages with this id, the newest first. Different people's messages may have one id. */
export function editSecretsIn(entries: readonly HistoryEntry[], id: string): Buffer[] {
  return entries
    .flatMap(({ data, secret }) => (secret !== undefined && hasId(data) && data.id === id ? Buffer.from(secret, "base64") : []))
    .reverse();
}

const hasId = typia.createIs<{ id: string }>();
const secretBytes = 32;
