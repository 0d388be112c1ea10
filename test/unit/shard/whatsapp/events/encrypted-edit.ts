import { createCipheriv, createHmac, randomBytes } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import { received } from "./events-under-test.js";

const { SecretEncType } = proto.Message.SecretEncryptedMessage;

interface Edited {
  readonly id: string;
  readonly secret: Buffer;
  readonly author: string;
  readonly editor?: string;
}

/** Returns an edit in the form that phones send. HKDF is written out, so that the code under test is not its own judge. */
export function encryptedEdit(
  { id, secret, author, editor = author }: Edited,
  content: proto.IMessage,
  secretEncType = SecretEncType.MESSAGE_EDIT,
): proto.IMessage {
  const extracted = createHmac("sha256", Buffer.alloc(32)).update(secret).digest();
  const key = createHmac("sha256", extracted)
    .update(`${id}${author}${editor}Message Edit`)
    .update(Buffer.from([1]))
    .digest();
  const encIv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, encIv);
  const encPayload = Buffer.concat([cipher.update(proto.Message.encode(content).finish()), cipher.final(), cipher.getAuthTag()]);
  return received({ secretEncryptedMessage: { targetMessageKey: { id, fromMe: true }, encPayload, encIv, secretEncType } });
}
