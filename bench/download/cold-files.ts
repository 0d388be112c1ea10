import typia from "typia";
import type { ChannelMessage } from "../../shared/contract/telegram/channel.js";
import type { Caller } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { control } from "../sandbox-control.js";

/** A file that nobody has read yet: where its message stands, and the gateway's link to it. */
export interface ColdFile {
  readonly messageId: string;
  readonly url: string;
  readonly size: number;
  /** From which its content can be computed. */
  readonly fileId: string;
}

/** Of a channel that alice owns and anybody finds by its name. */
export const coldChannel = "alice_news";

/** Puts new files into alice's channel, and resolves with the links that `caller`, alice's session, is given for them. */
export async function coldFiles(gateway: Gateway, caller: Caller, count: number, bytes: number): Promise<ColdFile[]> {
  const made: { messageId: string; fileId: string }[] = [];
  let chatId = "";
  while (made.length < count) {
    const sent = isSent(await control(gateway, "telegram", "/people/send", { account: "alice", chat: coldChannel, media: "document", size: bytes }));
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

const isSent = typia.createAssert<{ chatId: string; messageId: string; media: { fileId: string } }>();
