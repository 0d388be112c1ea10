import { isSessionId } from "../../shared/contract/ids.js";
import type { FileFacts } from "../../shared/media/file-facts.js";
import type { SealedLinks } from "../../shared/media/sealed-links.js";
import { syntheticBytes } from "../sandbox/files/synthetic-bytes.js";
import type { Caller } from "./api.js";

/** A file that a person has sent to a WhatsApp account, behind a link, with its expected bytes. */
export interface ReceivedFile {
  readonly path: string;
  readonly size: number;
  readonly facts: FileFacts;
  /** Determines the content of the file. */
  readonly fileId: string;
  /** Returns the link for another session of the account. */
  readonly pathFor: (caller: Caller) => string;
  readonly bytes: (from: number, length: number) => Buffer;
}

/** What the control API says of the file. */
interface Sent {
  readonly chatId: string;
  readonly messageId: string;
  readonly media: {
    readonly directPath: string;
    readonly fileId: string;
    readonly size: number;
    readonly mimetype: string;
    readonly mediaKey: string;
    readonly sha256: string;
    readonly encryptedSha256: string;
  };
}

/** Sends the account a file of `size` bytes, and seals a link to it like the gateway does. `change` alters its facts. */
export async function receivedFile(
  caller: Caller,
  links: SealedLinks,
  size: number,
  { kind = "video", change = {} }: { kind?: "video" | "document"; change?: Partial<FileFacts> } = {},
): Promise<ReceivedFile> {
  const fields = { platform: "whatsapp", account: "alice", media: kind, size };
  const { chatId, messageId, media } = (await caller.phone("/people/send", fields)).body as Sent;
  const facts: FileFacts = {
    kind,
    length: size,
    directPath: media.directPath,
    mediaKey: Buffer.from(media.mediaKey, "hex"),
    encryptedHash: Buffer.from(media.encryptedSha256, "hex"),
    plainHash: Buffer.from(media.sha256, "hex"),
    sidecar: Buffer.alloc(0),
    mimetype: media.mimetype,
    name: "",
    author: "",
    fromMe: false,
    ...change,
  };
  const ext = kind === "video" ? "mp4" : "pdf";
  const pathFor = ({ credentials: { id } }: Caller): string => {
    const path = isSessionId(id) ? links.seal(id, { chatId, messageId, variant: "file" }, ext, facts) : undefined;
    if (path === undefined) throw new Error("the link cannot be sealed");
    return `/whatsapp${path}`;
  };
  const { fileId } = media;
  return { path: pathFor(caller), size, facts, fileId, pathFor, bytes: (from, length) => syntheticBytes(fileId, from, length) };
}
