import { isSessionId } from "../../shared/contract/ids.js";
import type { MediaVariant } from "../../shared/contract/media.js";
import type { LinkKeys } from "../../shared/media/link.js";
import { syntheticBytes } from "../sandbox/files/synthetic-bytes.js";
import type { Caller } from "./api.js";
import type { ReferenceFile } from "./media-reference.js";
import type { TelegramSide } from "./telegram-side.js";
import { callWire } from "./wire.js";

/** A file of the sandbox behind a link, with its expected bytes. */
export interface LinkedFile extends ReferenceFile {
  readonly path: string;
  readonly chatId: string;
  readonly messageId: string;
}

/** Sends the account a document of `size` bytes from its contact Bob, and signs a link to it like the gateway does. */
export async function sentFile(
  platform: TelegramSide,
  keys: LinkKeys,
  caller: Caller,
  account: string,
  size: number,
  dc = 1,
): Promise<LinkedFile> {
  const sent = (await platform.post("/people/send", { account, chat: "bob", media: "document", size, dc })).body as {
    chatId: string;
    messageId: string;
    media: { fileId: string };
  };
  return await linkedFile(caller, keys, sent, "file", sent.media.fileId, size);
}

/** Returns a file of the public channel by its size; `bytes` is correct only for generated files. */
export async function channelFile(
  platform: TelegramSide,
  keys: LinkKeys,
  caller: Caller,
  size: number,
  variant: MediaVariant = "file",
): Promise<LinkedFile> {
  const doc = await platform.media((one) => one["size"] === size);
  return await linkedFile(
    caller,
    keys,
    { chatId: String(doc["chatId"]), messageId: String(doc["messageId"]) },
    variant,
    String(doc["fileId"]),
    size,
  );
}

async function linkedFile(
  caller: Caller,
  keys: LinkKeys,
  { chatId, messageId }: { chatId: string; messageId: string },
  variant: MediaVariant,
  fileId: string,
  size: number,
): Promise<LinkedFile> {
  const { id } = caller.credentials;
  if (!isSessionId(id)) throw new Error("no session id");
  const path = `/telegram${keys.sign(id, { chatId, messageId, variant }, "bin")}`;
  // Headers that do not depend on the range are read once with HEAD; every later response must have the same.
  const { status, headers } = await callWire(caller.gateway.telegram[0] ?? "", path, { method: "HEAD" });
  const one = (name: string): string => headers.get(name)?.[0] ?? "";
  if (status !== 200 || one("content-length") !== String(size))
    throw new Error(`HEAD of a file of ${size} bytes: ${status}, ${one("content-length")} bytes`);
  return {
    path,
    chatId,
    messageId,
    size,
    etag: one("etag"),
    type: one("content-type"),
    disposition: one("content-disposition"),
    bytes: (offset, length) => syntheticBytes(fileId, offset, length),
  };
}
