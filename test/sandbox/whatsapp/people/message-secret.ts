import { createCipheriv, createHmac, randomBytes } from "node:crypto";
import type { proto } from "@whiskeysockets/baileys";

interface SecretUse {
  /** What the key is for. */
  readonly use: "Poll Vote" | "Message Edit";
  /** The message that was voted on or edited, its secret and its author. JIDs without a device. */
  readonly messageId: string;
  readonly secret: Uint8Array;
  readonly author: string;
  readonly actor: string;
  readonly additional?: Buffer;
}

/** Encrypts as whatsmeow's msgsecret.go, encryptMsgSecret, does. */
export function encryptedWithSecret(
  content: Uint8Array,
  { use, messageId, secret, author, actor, additional }: SecretUse,
): proto.Message.IPollEncValue {
  const extracted = createHmac("sha256", Buffer.alloc(32)).update(secret).digest();
  const info = Buffer.concat([Buffer.from(`${messageId}${author}${actor}${use}`), Buffer.from([1])]);
  const key = createHmac("sha256", extracted).update(info).digest();
  const encIv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, encIv);
  if (additional !== undefined) cipher.setAAD(additional);
  return { encPayload: Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]), encIv };
}
