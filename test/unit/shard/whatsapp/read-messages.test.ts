import { type BinaryNode, proto } from "@whiskeysockets/baileys";
import { expect, test } from "vitest";
import type { Client } from "../../../../shard/whatsapp/client.js";
import { readMessages } from "../../../../shard/whatsapp/channel/read-messages.js";

const channelId = "120363000000000001@newsletter";

/** A client whose platform returns one page of these messages, the last one the newest. */
function respondingWith(...messages: proto.IMessage[]): Client {
  const nodes = messages.map((message, at): BinaryNode => {
    const plaintext = {
      tag: "plaintext",
      attrs: {},
      content: Buffer.from(proto.Message.encode(proto.Message.fromObject(message)).finish()),
    };
    return { tag: "message", attrs: { server_id: String(at + 1), t: "1700000000" }, content: [plaintext] };
  });
  const response: BinaryNode = { tag: "iq", attrs: {}, content: [{ tag: "messages", attrs: {}, content: nodes }] };
  return { query: async () => response } as unknown as Client;
}

test("how audio and videos are meant to be played", async () => {
  const client = respondingWith(
    { conversation: "text" },
    { audioMessage: { mimetype: "audio/mpeg", fileLength: 5 } },
    { audioMessage: { mimetype: "audio/ogg; codecs=opus", ptt: true } },
    { videoMessage: { mimetype: "video/mp4", caption: "film" } },
    { videoMessage: { mimetype: "video/mp4", gifPlayback: true } },
    { ptvMessage: { mimetype: "video/mp4" } },
  );
  const read = (await readMessages(client, { channelId, limit: 10, before: 0 })).reverse();
  expect(read.map(({ type, voice, round, animation }) => [type, voice, round, animation])).toEqual([
    ["text", false, false, false],
    ["audio", false, false, false],
    ["audio", true, false, false],
    ["video", false, false, false],
    ["video", false, false, true],
    ["video", false, true, false],
  ]);
});
