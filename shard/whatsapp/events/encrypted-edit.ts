import { createDecipheriv, hkdfSync } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import { unwrapped } from "../message/unwrapped.js";
import { contentIn, type Content } from "./read-content.js";

/** An edit whose content is encrypted with the secret of the edited message. */
export interface EncryptedEdit {
  /** The message that was edited. */
  readonly id: string;
  readonly payload: Uint8Array;
  readonly iv: Uint8Array;
}

type Edit = Extract<Content, { kind: "edited" }>;

/** Phones send their edits in this form since 2026. Returns `undefined` for any other message. */
export function encryptedEditIn(received: proto.IMessage): EncryptedEdit | undefined {
  const { secretEncryptedMessage } = contentIn(received).message;
  if (secretEncryptedMessage?.secretEncType !== proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT) return undefined;
  const { targetMessageKey, encPayload: payload, encIv: iv } = secretEncryptedMessage;
  const id = targetMessageKey?.id ?? "";
  return id === "" || !payload || !iv ? undefined : { id, payload, iv };
}

/**
 * Returns the content of the edit; `undefined` if none of the secrets opens it. The key depends on the author's JID, of which a person has
 * two, so no other person's edit opens. whatsmeow's msgsecret.go, generateMsgSecretKey, makes the same key.
 */
export function openEdit(edit: EncryptedEdit, secrets: readonly Uint8Array[], authors: readonly string[]): Edit | undefined {
  for (const secret of secrets)
    for (const author of authors)
      for (const editor of authors) {
        const content = decrypted(edit, Buffer.from(hkdfSync("sha256", secret, "", `${edit.id}${author}${editor}Message Edit`, keyBytes)));
        if (content !== undefined) return editedIn(edit, content);
      }
  return undefined;
}

/** A phone encrypts the whole edit. Some clients encrypt the new content alone. */
function editedIn({ id }: EncryptedEdit, content: proto.IMessage): Edit {
  const { protocolMessage } = unwrapped(content).message;
  const message = protocolMessage ? (protocolMessage.editedMessage ?? {}) : content;
  return { kind: "edited", id, ...unwrapped(message), at: Number(protocolMessage?.timestampMs ?? 0) };
}

/** Another key does not open it. */
function decrypted({ payload, iv }: EncryptedEdit, key: Buffer): proto.IMessage | undefined {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes });
    decipher.setAuthTag(payload.subarray(-tagBytes));
    return proto.Message.decode(Buffer.concat([decipher.update(payload.subarray(0, -tagBytes)), decipher.final()]));
  } catch {
    return undefined;
  }
}

const keyBytes = 32;
const tagBytes = 16;
