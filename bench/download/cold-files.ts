import { createHash } from "node:crypto";
import typia from "typia";
import type { ChannelMessage } from "../../shared/contract/telegram/channel.js";
import { chunkBytes } from "../../shared/limits.js";
import { request, type Caller } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { syntheticBytes } from "../../test/sandbox/files/synthetic-bytes.js";
import { control } from "../sandbox-control.js";

/** A file that no client has read yet: its message, and the gateway's link to it. */
export interface ColdFile {
  readonly messageId: string;
  readonly url: string;
  readonly size: number;
  /** Determines the content of the file. */
  readonly fileId: string;
}

/** A public channel that alice owns. */
export const coldChannel = "alice_news";

/** Puts new files into alice's channel. Resolves with the links that `caller`, alice's session, gets for them. */
export async function coldFiles(gateway: Gateway, caller: Caller, count: number, bytes: number): Promise<ColdFile[]> {
  const made: { messageId: string; fileId: string }[] = [];
  let chatId = "";
  while (made.length < count) {
    const sent = isSent(
      await control(gateway, "telegram", "/people/send", { account: "alice", chat: coldChannel, media: "document", size: bytes }),
    );
    made.push({ messageId: sent.messageId, fileId: sent.media.fileId });
    chatId = sent.chatId;
  }
  const { docs } = (await caller.get(`/channel/message?channelId=${chatId}&limit=100`)).body as { docs: ChannelMessage[] };
  return made.map(({ messageId, fileId }) => {
    const url = docs.find((message) => message.id === messageId)?.url;
    if (!url) throw new Error("a new file has no link");
    return { messageId, url, size: bytes, fileId };
  });
}

/** Throws unless a download has the right size and, if a digest was requested, the right content. */
export function requireWhole(
  { size, fileId }: Pick<ColdFile, "size" | "fileId">,
  { bytes, sha256 }: { bytes: number; sha256?: string },
): void {
  if (bytes !== size) throw new Error(`${bytes} of ${size} bytes came`);
  if (!sha256) return;
  const hash = createHash("sha256");
  for (let offset = 0; offset < size; offset += chunkBytes)
    hash.update(syntheticBytes(fileId, offset, Math.min(chunkBytes, size - offset)));
  if (hash.digest("hex") !== sha256) throw new Error("the bytes are not the file's");
}

/** Returns how many file parts the sandbox has served so far. */
export async function fetchedParts(gateway: Gateway): Promise<number> {
  const { body } = await request(`${gateway.sandbox}/calls`);
  return (body as { telegram?: Record<string, number> }).telegram?.["upload.getFile"] ?? 0;
}

const isSent = typia.createAssert<{ chatId: string; messageId: string; media: { fileId: string } }>();
