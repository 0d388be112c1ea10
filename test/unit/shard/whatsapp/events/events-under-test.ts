import { proto, type BinaryNode } from "@whiskeysockets/baileys";
import type { SessionId } from "../../../../../shared/contract/ids.js";
import { whatsappEventTypes, type EventType } from "../../../../../shared/contract/webhook-events.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import type { MessageHead } from "../../../../../shard/session/message-head.js";
import type { IncomingStanza, OwnJids } from "../../../../../shard/whatsapp/events/incoming-stanza.js";
import { KnownPolls } from "../../../../../shard/whatsapp/events/known-polls.js";
import { MessageEvents, type MessageEventsOptions } from "../../../../../shard/whatsapp/events/message-events.js";
import { People, type PeopleParts } from "../../../../../shard/whatsapp/events/people.js";
import { TestContext } from "../../../../platform/session-context.js";

export const session = "6b01aa5342b4f53c9f4c7e33" as SessionId;
export const me: OwnJids = { id: "15550000001:3@s.whatsapp.net", lid: "900000000000001:3@lid" };
export const ann = "15550000002@s.whatsapp.net";
export const bob = "900000000000003@lid";
export const group = "120363000000000001@g.us";
export const channel = "120363000000000002@newsletter";
/** Unix seconds. */
export const at = 1_790_000_000;
export const all: ReadonlySet<EventType> = new Set(whatsappEventTypes);

/** Returns a message as it is decoded after its way over the wire. */
export function received(message: proto.IMessage): proto.IMessage {
  return proto.Message.decode(proto.Message.encode(message).finish());
}

export function aStanza(changes: Partial<IncomingStanza> = {}): IncomingStanza {
  return { kind: "private", id: "M1", chat: ann, author: ann, fromMe: false, at, pushName: "Ann", otherJid: "", username: "", ...changes };
}

export const inGroup: Partial<IncomingStanza> = { kind: "group", chat: group };
export const inChannel: Partial<IncomingStanza> = { kind: "channel", chat: channel, author: channel };

export function node(tag: string, attrs: BinaryNode["attrs"], content?: BinaryNode["content"]): BinaryNode {
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}

/** A stanza of a private message from Ann. */
export function messageNode(attrs: BinaryNode["attrs"] = {}, content: BinaryNode["content"] = [enc()]): BinaryNode {
  return node("message", { from: ann, id: "M1", t: String(at), type: "text", ...attrs }, content);
}

export function enc(bytes: Uint8Array = Buffer.from("ciphertext")): BinaryNode {
  return node("enc", { v: "2", type: "msg" }, bytes);
}

export function somePeople(parts: Partial<PeopleParts> = {}): People {
  return new People({
    book: { findOne: () => Promise.resolve(undefined) },
    keys: () => ({ get: () => Promise.resolve({}) }),
    subjectOf: () => "Family",
    ...parts,
  });
}

export function messageEvents(
  people: People = somePeople(),
  keepsHistory = false,
  editSecrets: MessageEventsOptions["editSecrets"] = () => Promise.resolve([]),
): MessageEvents {
  const links = {
    fileUrl: (_: SessionId, { messageId }: { readonly messageId: string }) => `file:${messageId}`,
    thumbUrl: () => "",
  };
  const named = (kind: string, { chat, author, id, type }: MessageHead): string => [kind, chat, author, id, type].join(" ");
  const refs = { seal: (head: MessageHead) => named("ref", head), pack: (head: MessageHead) => named("head", head) };
  const polls = new KnownPolls(new TestContext().secrets);
  const me = (): OwnJids => ({ id: "", lid: "" });
  return new MessageEvents({ session, people, links, refs, polls, editSecrets, me, keepsHistory, log: silentLog });
}
