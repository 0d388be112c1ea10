import { Api } from "telegram";
import bigInt from "big-integer";
import { expect, test } from "vitest";
import { toChange } from "../../../../../shard/telegram/updates/change.js";
import { aMessage, bob } from "./packets.js";

const origin = { date: 1_700_000_000, since: 1_700_000_000, own: false, missed: false };
const counted = { pts: 1, ptsCount: 1 };
const user = new Api.PeerUser({ userId: bigInt(bob) });
const chat = new Api.PeerChat({ chatId: bigInt(4) });
const channel = new Api.PeerChannel({ channelId: bigInt(1_900_000_000) });
const edit = (fields: Parameters<typeof aMessage>[0]): Api.UpdateEditMessage =>
  new Api.UpdateEditMessage({ message: aMessage(fields), ...counted });
const service = new Api.MessageService({ id: 1, peerId: user, date: 1, action: new Api.MessageActionContactSignUp() });

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
])("reports %s", (_, update, expected) => {
  expect(toChange(update, origin)).toMatchObject(expected);
});

test.each<[string, Api.TypeUpdate]>([
  ["a message to a group", new Api.UpdateNewMessage({ message: aMessage({ peerId: chat }), ...counted })],
  ["a note of the service", new Api.UpdateNewMessage({ message: service, ...counted })],
  ["an empty message", new Api.UpdateNewMessage({ message: new Api.MessageEmpty({ id: 1 }), ...counted })],
  ["an edit in a group", edit({ peerId: chat, editDate: 5 })],
  ["a reaction", edit({ editDate: 5, editHide: true })],
  ["a link preview", edit({})],
  ["a read in a group", new Api.UpdateReadHistoryOutbox({ peer: chat, maxId: 7, ...counted })],
  ["a post", new Api.UpdateNewChannelMessage({ message: aMessage({ peerId: channel }), ...counted })],
  ["an edited post", new Api.UpdateEditChannelMessage({ message: aMessage({ peerId: channel, editDate: 5 }), ...counted })],
  ["deleted posts", new Api.UpdateDeleteChannelMessages({ channelId: bigInt(1_900_000_000), messages: [1], ...counted })],
  ["a read channel", new Api.UpdateReadChannelInbox({ channelId: bigInt(1_900_000_000), maxId: 1, stillUnreadCount: 0, pts: 1 })],
  ["typing", new Api.UpdateUserTyping({ userId: bigInt(bob), action: new Api.SendMessageTypingAction() })],
])("%s is not", (_, update) => {
  expect(toChange(update, origin)).toBeUndefined();
});
