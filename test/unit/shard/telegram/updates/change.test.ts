import { Api } from "telegram";
import bigInt from "big-integer";
import { expect, test } from "vitest";
import { toChanges } from "../../../../../shard/telegram/updates/change.js";
import { aMessage, bob } from "./packets.js";

const origin = { date: 1_700_000_000, since: 1_700_000_000, own: false, missed: false };
const counted = { pts: 1, ptsCount: 1 };
const user = new Api.PeerUser({ userId: bigInt(bob) });
const chat = new Api.PeerChat({ chatId: bigInt(4) });
const channel = new Api.PeerChannel({ channelId: bigInt(1_900_000_000) });
const edit = (fields: Parameters<typeof aMessage>[0]): Api.UpdateEditMessage =>
  new Api.UpdateEditMessage({ message: aMessage(fields), ...counted });
const serviceOf = (peerId: Api.TypePeer, action: Api.TypeMessageAction): Api.MessageService =>
  new Api.MessageService({ id: 1, peerId, date: 1, action });
const service = serviceOf(user, new Api.MessageActionContactSignUp());

test.each<[string, Api.TypeUpdate, object]>([
  ["a new message", new Api.UpdateNewMessage({ message: aMessage(), ...counted }), { kind: "new", chat: bob }],
  ["an edit", edit({ editDate: 1_700_000_050 }), { kind: "edited", chat: bob, since: origin.since }],
  ["a deletion", new Api.UpdateDeleteMessages({ messages: [1, 2], ...counted }), { kind: "deleted", ids: [1, 2], date: origin.date }],
  [
    "read by them",
    new Api.UpdateReadHistoryOutbox({ peer: user, maxId: 7, ...counted }),
    { kind: "read", by: "them", until: 7, chat: bob },
  ],
  [
    "read by the account",
    new Api.UpdateReadHistoryInbox({ peer: user, maxId: 7, stillUnreadCount: 0, ...counted }),
    { kind: "read", by: "me", until: 7, chat: bob },
  ],
  [
    "a message to a group",
    new Api.UpdateNewMessage({ message: aMessage({ peerId: chat }), ...counted }),
    { kind: "new", chat: "-4", missed: false },
  ],
  ["an edit in a group", edit({ peerId: chat, editDate: 5 }), { kind: "edited", chat: "-4" }],
  ["a reaction", edit({ editDate: 5, editHide: true }), { kind: "reacted", chat: bob, message: 1 }],
  [
    "a post",
    new Api.UpdateNewChannelMessage({ message: aMessage({ peerId: channel, post: true }), ...counted }),
    { kind: "new", chat: "-1001900000000" },
  ],
  [
    "deleted messages of a supergroup",
    new Api.UpdateDeleteChannelMessages({ channelId: bigInt(1_900_000_000), messages: [1], ...counted }),
    { kind: "deleted", chat: "-1001900000000", ids: [1] },
  ],
  [
    "a service message of a group",
    new Api.UpdateNewMessage({ message: serviceOf(chat, new Api.MessageActionChatEditTitle({ title: "New" })), ...counted }),
    { kind: "service", chat: "-4" },
  ],
  [
    "reactions without an edit",
    new Api.UpdateMessageReactions({ peer: channel, msgId: 3, reactions: new Api.MessageReactions({ results: [] }) }),
    { kind: "reacted", chat: "-1001900000000", message: 3 },
  ],
  [
    "a new administrator",
    new Api.UpdateChatParticipantAdmin({ chatId: bigInt(4), userId: bigInt(bob), isAdmin: true, version: 2 }),
    { kind: "role", chat: "-4", member: bob, isAdmin: true },
  ],
])("reports %s", (_, update, expected) => {
  expect(toChanges(update, origin)[0]).toMatchObject(expected);
});

test("reports an edit and the reactions of its message", () => {
  expect(toChanges(edit({ editDate: 5 }), origin).map(({ kind }) => kind)).toEqual(["edited", "reacted"]);
});

test.each<[string, Api.TypeUpdate]>([
  ["a note of the service", new Api.UpdateNewMessage({ message: service, ...counted })],
  ["an empty message", new Api.UpdateNewMessage({ message: new Api.MessageEmpty({ id: 1 }), ...counted })],
  ["a read in a group", new Api.UpdateReadHistoryOutbox({ peer: chat, maxId: 7, ...counted })],
  ["a read channel", new Api.UpdateReadChannelInbox({ channelId: bigInt(1_900_000_000), maxId: 1, stillUnreadCount: 0, pts: 1 })],
  ["typing", new Api.UpdateUserTyping({ userId: bigInt(bob), action: new Api.SendMessageTypingAction() })],
])("%s is not", (_, update) => {
  expect(toChanges(update, origin)).toEqual([]);
});
