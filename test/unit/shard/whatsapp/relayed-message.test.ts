import { encodeWAMessage, proto, unpadRandomMax16 } from "@whiskeysockets/baileys";
import { beforeAll, expect, it } from "vitest";
import { encodeBeforeRelay, installRelayedEncoding, toRelayed } from "../../../../shard/whatsapp/network/relayed-message.js";

beforeAll(() => installRelayedEncoding());

const aMessage = (): proto.IMessage => proto.Message.create({ extendedTextMessage: { text: "hello" } });
const sent = (message: proto.IMessage): Buffer => Buffer.from(unpadRandomMax16(encodeWAMessage(message)));

it("the library sends the bytes that were encoded before the relay, for each device", () => {
  const message = aMessage();
  const bytes = encodeBeforeRelay(message);
  message.conversation = "not encoded again";
  expect([sent(toRelayed(message)), sent(toRelayed(message))]).toEqual([bytes, bytes]);
});

it("a message within another one, or not encoded before, is encoded as usual", () => {
  const [message, destinationJid] = [aMessage(), "1@lid"];
  const bytes = encodeBeforeRelay(message);
  const copy = proto.Message.decode(sent({ deviceSentMessage: { destinationJid, message: toRelayed(message) } }));
  expect(Buffer.from(proto.Message.encode(copy.deviceSentMessage?.message ?? {}).finish())).toEqual(bytes);
  expect(copy.deviceSentMessage?.destinationJid).toBe(destinationJid);
  expect(sent(toRelayed(aMessage()))).toEqual(bytes);
});
