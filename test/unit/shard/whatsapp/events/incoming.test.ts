import { proto, type BinaryNode } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import type { EventType } from "../../../../../shared/contract/webhook-events.js";
import { FencedError } from "../../../../../shared/redis/script.js";
import { Incoming } from "../../../../../shard/whatsapp/events/incoming.js";
import type { IncomingStanza } from "../../../../../shard/whatsapp/events/incoming-stanza.js";
import { NoticeEvents } from "../../../../../shard/whatsapp/events/notice-events.js";
import type { UnreadableMessages } from "../../../../../shard/whatsapp/events/unreadable-messages.js";
import { ConnectionLost } from "../../../../../shard/whatsapp/network/connection-error.js";
import { all, ann, at, bob, channel, enc, group, me, messageEvents, messageNode, node, session, somePeople } from "./events-under-test.js";

type Requested = ReadonlySet<EventType>;

function anAccount(
  requested: Requested | Promise<Requested> = all,
  seen: (id: string) => Promise<boolean> = () => Promise.resolve(false),
  keepsHistory = false,
) {
  const unreadable = { added: [] as string[], arrived: [] as string[], isEmpty: false };
  const messages = messageEvents(somePeople(), keepsHistory);
  const incoming = new Incoming({
    me: () => me,
    requested: () => requested,
    updates: { seen },
    messages,
    keepsHistory,
    notices: new NoticeEvents(session, somePeople(), keepsHistory),
    unreadable: {
      get isEmpty() {
        return unreadable.isEmpty;
      },
      add: ({ id }: IncomingStanza) => Promise.resolve(void unreadable.added.push(id)),
      arrived: ({ id }: IncomingStanza) => void unreadable.arrived.push(id),
    } as unknown as UnreadableMessages,
  });
  return { incoming, messages, unreadable };
}

describe("a message", () => {
  it.each<[string, EventType[], boolean]>([
    [ann, [], false],
    [ann, ["message.new"], true],
    [ann, ["message.edited"], true],
    [ann, ["group.message.new", "message.read", "session.state"], false],
    [group, ["group.message.deleted"], true],
    [group, ["message.reaction"], true],
    [group, ["message.new", "group.changed"], false],
    [channel, ["channel.message.new"], true],
    [channel, ["message.new"], false],
  ])("of %s concerns a receiver of %j: %s", (from, types, expected) => {
    expect(anAccount(new Set(types)).incoming.concerns(messageNode({ from }))).toBe(expected);
  });

  it("may concern a receiver whose settings are not known yet, and their failure is not lost", async () => {
    const { incoming } = anAccount(Promise.reject(new Error("redis is away")));
    expect(incoming.concerns(messageNode())).toBe(true);
    await expect(incoming.eventsOf(messageNode(), { conversation: "hi" })).rejects.toThrow("redis is away");
    await expect(incoming.eventsBefore(node("receipt", { from: ann, id: "M1" }))).rejects.toThrow("redis is away");
  });

  it("that was decrypted has its event, and waits no longer", async () => {
    const { incoming, unreadable } = anAccount();
    expect(await incoming.eventsOf(messageNode(), { conversation: "hi" })).toMatchObject([{ type: "message.new", data: { text: "hi" } }]);
    await incoming.arrived(messageNode());
    await incoming.arrived(messageNode({ from: "status@broadcast", participant: ann }));
    expect(unreadable.arrived).toEqual(["M1"]);
    expect(await incoming.eventsOf(messageNode({ from: "status@broadcast", participant: ann }), { conversation: "hi" })).toEqual([]);
  });
});

describe("with a history", () => {
  const kept = (types: readonly EventType[]) => anAccount(new Set(types), undefined, true).incoming;
  const directions = async (types: readonly EventType[], message: proto.IMessage, attrs = {}) =>
    (await kept(types).eventsOf(messageNode(attrs), message)).map(({ type, to }) => [type, to]);
  const deletion = { protocolMessage: { key: { id: "M0", fromMe: true }, type: proto.Message.ProtocolMessage.Type.REVOKE } };

  it("that was decrypted is not looked for while none waits", async () => {
    const { incoming, unreadable } = anAccount();
    unreadable.isEmpty = true;
    await incoming.arrived(messageNode());
    expect(unreadable.arrived).toEqual([]);
  });

  it("every message concerns it, also without a receiver", async () => {
    expect(kept([]).concerns(messageNode())).toBe(true);
    expect(kept([]).concerns(messageNode({ from: "status@broadcast", participant: ann }))).toBe(false);
    expect(await directions([], { conversation: "hi" })).toEqual([["message.new", "history"]]);
    expect(await directions([], { conversation: "hi" }, { from: group, participant: bob })).toEqual([["group.message.new", "history"]]);
    expect(await directions([], deletion)).toEqual([["message.deleted", "history"]]);
  });

  it("what a receiver wants goes to both, and reactions to the receiver alone", async () => {
    expect(await directions(["message.new"], { conversation: "hi" })).toEqual([["message.new", "both"]]);
    const reaction = { reactionMessage: { key: { id: "M0" }, text: "👍" } };
    expect(await directions(["message.reaction"], reaction)).toEqual([["message.reaction", undefined]]);
    expect(await directions([], reaction)).toEqual([]);
  });

  it("it gets what the account reads on another device, and no other receipts", async () => {
    const receipt = (attrs: object): Promise<unknown> =>
      Promise.resolve(kept([]).eventsBefore(node("receipt", { id: "M1", t: String(at), ...attrs })));
    expect(await receipt({ type: "read", from: me.lid, recipient: bob })).toMatchObject([{ type: "message.read", to: "history" }]);
    expect(await receipt({ type: "read", from: bob })).toBeUndefined();
    expect(await receipt({ from: bob })).toBeUndefined();
    expect(kept([]).eventsBefore(node("call", {}))).toBeUndefined();
  });
});

describe("a message that cannot be decrypted", () => {
  it("waits for its sender, unless its event is stored", async () => {
    const { incoming, unreadable, messages } = anAccount(all, (id) => Promise.resolve(id === known));
    const known = messages.idOf({
      kind: "private",
      id: "M0",
      chat: ann,
      author: ann,
      fromMe: false,
      at,
      pushName: "",
      otherJid: "",
      username: "",
    });
    expect(await incoming.failed(messageNode({ id: "M0" }), new Error("Bad MAC"))).toBe(true);
    expect(unreadable.added).toEqual([]);
    expect(await incoming.failed(messageNode(), new Error("Bad MAC"))).toBe(false);
    expect(unreadable.added).toEqual(["M1"]);
  });

  it.each([new FencedError(), new ConnectionLost(undefined)])("because the session leaves is left to the next owner: %s", async (error) => {
    const { incoming, unreadable } = anAccount(all, () => Promise.reject(new Error("not read")));
    await expect(incoming.failed(messageNode(), error)).rejects.toBe(error);
    expect(unreadable.added).toEqual([]);
  });

  it("is no message of a chat if it is a status or a peer message", async () => {
    const { incoming, unreadable } = anAccount();
    expect(await incoming.failed(messageNode({ category: "peer", from: me.id }), new Error("Bad MAC"))).toBe(false);
    expect(await incoming.failed(messageNode({ from: "status@broadcast", participant: ann }), new Error("Bad MAC"))).toBe(false);
    expect(unreadable.added).toEqual([]);
  });
});

describe("a message that the account's phone sends again", () => {
  const peer = (from: string): BinaryNode => messageNode({ category: "peer", from, id: "P1" });
  const info = (changes: proto.IWebMessageInfo = {}): Uint8Array =>
    proto.WebMessageInfo.encode({
      key: { remoteJid: ann, id: "M1", fromMe: false },
      message: { conversation: "at last" },
      messageTimestamp: at,
      pushName: "Ann",
      ...changes,
    }).finish();
  const response = (...infos: (Uint8Array | undefined)[]): proto.IMessage => ({
    protocolMessage: {
      peerDataOperationRequestResponseMessage: {
        peerDataOperationResult: infos.map((webMessageInfoBytes) => ({
          placeholderMessageResendResponse: webMessageInfoBytes === undefined ? {} : { webMessageInfoBytes },
        })),
      },
    },
  });

  it.each([me.id, me.lid, "15550000001@s.whatsapp.net"])("has the event that it would have had: %s", async (from) => {
    const { incoming, unreadable } = anAccount();
    const stanza = peer(from);
    const events = await incoming.eventsOf(stanza, response(info()));
    await incoming.arrived(stanza);
    expect(events).toEqual(await incoming.eventsOf(messageNode({ notify: "Ann" }), { conversation: "at last" }));
    expect(unreadable.arrived).toEqual(["M1"]);
  });

  it.each([
    [info({ key: { remoteJid: group, id: "M1", participant: bob } }), { type: "group.message.new", data: { author: { id: bob } } }],
    [info({ key: { remoteJid: group, id: "M1" }, participant: bob }), { data: { author: { id: bob } } }],
    [info({ key: { remoteJid: ann, id: "M1", fromMe: true } }), { type: "message.new", data: { fromMe: true, chat: { id: ann } } }],
    [info({ key: { remoteJid: channel, id: "M1" } }), { type: "channel.message.new", data: { chat: { id: channel } } }],
  ])("keeps its chat and author: %#", async (bytes, expected) => {
    expect(await anAccount().incoming.eventsOf(peer(me.id), response(bytes))).toMatchObject([expected]);
  });

  it.each([ann, bob, "15550000001@lid", "900000000000001@s.whatsapp.net", "", "15550000001"])(
    "has no event if somebody else sends it: %s",
    async (from) => {
      const { incoming, unreadable } = anAccount();
      expect(await incoming.eventsOf(peer(from), response(info()))).toEqual([]);
      expect(unreadable.arrived).toEqual([]);
    },
  );

  it("does not suffer from others that are empty or malformed", async () => {
    const malformed = [
      undefined,
      Buffer.from([0xff, 0xff]),
      info({ message: null }),
      info({ key: { id: "M1" } }),
      info({ key: { remoteJid: ann } }),
    ];
    const events = await anAccount().incoming.eventsOf(peer(me.id), response(...malformed, info()));
    expect(events).toMatchObject([{ data: { text: "at last" } }]);
    expect(await anAccount().incoming.eventsOf(peer(me.id), { conversation: "no response" })).toEqual([]);
  });
});

describe("a stanza that needs no decryption", () => {
  const post = (bytes: Uint8Array): BinaryNode => messageNode({ from: channel }, [node("plaintext", {}, bytes)]);

  it("is left alone while no event is requested", () => {
    const { incoming } = anAccount(new Set());
    for (const tag of ["message", "receipt", "call", "notification"])
      expect(incoming.eventsBefore(node(tag, { from: ann }))).toBeUndefined();
  });

  it("is left alone if it can have no event", () => {
    const { incoming } = anAccount();
    expect(incoming.eventsBefore(messageNode({}, [enc()]))).toBeUndefined();
    expect(incoming.eventsBefore(node("notification", { type: "devices", from: ann }))).toBeUndefined();
    expect(incoming.eventsBefore(node("presence", { from: ann }))).toBeUndefined();
  });

  it("has the events of receipts, calls and groups", async () => {
    const { incoming } = anAccount();
    const typesOf = async (stanza: BinaryNode) => (await incoming.eventsBefore(stanza))?.map(({ type }) => type);
    expect(await typesOf(node("receipt", { from: ann, id: "M1", type: "read" }))).toEqual(["message.read"]);
    expect(await typesOf(node("call", { from: ann }, [node("offer", { "call-id": "C1" })]))).toEqual(["call.offered"]);
    expect(await typesOf(node("notification", { from: group, id: "N1", type: "w:gp2" }, [node("locked", {})]))).toEqual(["group.changed"]);
    expect(await incoming.refusalEvents(node("ack", { from: ann, id: "M1", error: "463" }))).toMatchObject([{ type: "message.failed" }]);
  });

  it("has the event of a channel's post", async () => {
    const bytes = proto.Message.encode({ conversation: "news" }).finish();
    expect(await anAccount().incoming.eventsBefore(post(bytes))).toMatchObject([{ type: "channel.message.new", data: { text: "news" } }]);
  });

  it("has an event without content for a post that is no message: an error would end the connection each time", async () => {
    expect(await anAccount().incoming.eventsBefore(post(Buffer.from([0xff, 0xff, 0xff])))).toMatchObject([
      { type: "channel.message.new", data: { type: "other", text: "" } },
    ]);
  });

  it.each(["view_once", "view_once_unavailable_fanout"])("has an event for what only the phone may show: %s", async (type) => {
    const { incoming, unreadable } = anAccount();
    expect(await incoming.eventsBefore(messageNode({}, [node("unavailable", { type })]))).toMatchObject([
      { type: "message.new", data: { viewOnce: true, type: "other" } },
    ]);
    expect(unreadable.added).toEqual([]);
  });

  it("waits for the phone if it is a placeholder that concerns the receiver", async () => {
    const { incoming, unreadable } = anAccount(new Set<EventType>(["message.new"]));
    expect(await incoming.eventsBefore(messageNode({}, [node("unavailable", {})]))).toEqual([]);
    expect(await incoming.eventsBefore(messageNode({ from: group, participant: bob, id: "M2" }, []))).toEqual([]);
    expect(unreadable.added).toEqual(["M1"]);
  });
});
