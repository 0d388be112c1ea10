/** The phone's response when a linked device finds a file gone from the media host (whatsmeow's mediaretry.go). */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { type BinaryNode, proto } from "@whiskeysockets/baileys";
import { hashOfPath, pathOf } from "../media/media-server.js";
import type { MediaStore } from "../media/media-store.js";
import { bytesOf, child, node, unixSeconds } from "../protocol/node.js";
import type { Account } from "../world/account.js";
import { jidOf } from "../world/jid.js";
import type { World } from "../world/world.js";

const { ResultType } = proto.MediaRetryNotification;
/** The code of an error that says that the phone does not have the file. */
const notOnPhone = "2";
const tagBytes = 16;

interface FileReference {
  readonly mediaKey: Uint8Array;
  readonly directPath: string;
}

/** Returns the notification for a `server-error` receipt, or `undefined` if the phone does not respond. */
export function mediaRetry(receipt: BinaryNode, account: Account, world: World, store: MediaStore): BinaryNode | undefined {
  const phone = store.loss?.phone ?? "uploads";
  if (phone === "silent") return undefined;
  const { id = "" } = receipt.attrs;
  const rmr = child(receipt, "rmr");
  const file = fileIn(world.messages.get(account.account, id)?.message);
  const hash = file && hashOfPath(file.directPath);
  const stored = hash && store.get(hash);
  const isReadable = file !== undefined && readable(receipt, file.mediaKey, id);
  const answer =
    phone === "lacks" || !stored || !isReadable
      ? [node("error", { code: notOnPhone })]
      : [sealed({ stanzaId: id, directPath: pathOf(stored), result: ResultType.SUCCESS }, file.mediaKey, id)];
  return node("notification", { from: jidOf(account), type: "mediaretry", id, t: unixSeconds() }, [...answer, node("rmr", rmr?.attrs)]);
}

/** Returns whether the receipt is sealed with the file's key and names the message. */
function readable(receipt: BinaryNode, mediaKey: Uint8Array, id: string): boolean {
  const encrypted = child(receipt, "encrypt");
  const [bytes, iv] = [bytesOf(child(encrypted, "enc_p")), bytesOf(child(encrypted, "enc_iv"))];
  if (bytes === undefined || iv === undefined || bytes.length <= tagBytes) return false;
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyOf(mediaKey), iv).setAAD(Buffer.from(id));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const plain = Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]);
    return proto.ServerErrorReceipt.decode(plain).stanzaId === id;
  } catch {
    return false; // Sealed with another key: the phone cannot serve the request.
  }
}

function sealed(notification: proto.IMediaRetryNotification, mediaKey: Uint8Array, id: string): BinaryNode {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(mediaKey), iv).setAAD(Buffer.from(id));
  const plain = proto.MediaRetryNotification.encode(notification).finish();
  const bytes = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return node("encrypt", {}, [node("enc_p", {}, bytes), node("enc_iv", {}, iv)]);
}

function keyOf(mediaKey: Uint8Array): Buffer {
  return Buffer.from(hkdfSync("sha256", mediaKey, Buffer.alloc(32), "WhatsApp Media Retry Notification", 32));
}

/** Returns the file of a message, inside all envelopes. */
function fileIn(message: proto.IMessage | undefined): FileReference | undefined {
  for (const content of Object.values(message ?? {})) {
    if (typeof content !== "object" || content === null) continue;
    const { mediaKey, directPath, message: inner } = content as { mediaKey?: unknown; directPath?: unknown; message?: proto.IMessage };
    if (mediaKey instanceof Uint8Array && typeof directPath === "string" && mediaKey.length > 0) return { mediaKey, directPath };
    const found = inner && fileIn(inner);
    if (found) return found;
  }
  return undefined;
}
