import { Api } from "telegram";
import bigInt from "big-integer";
import { beforeEach, describe, expect, test } from "vitest";
import { OwnCalls } from "../../../../../shard/telegram/updates/own-calls.js";
import type { Intake } from "../../../../../shard/telegram/updates/update-inbox.js";
import { aContainer, bob } from "./packets.js";

let pushed: Intake[];
let calls: OwnCalls;
beforeEach(() => {
  pushed = [];
  calls = new OwnCalls((intake) => void pushed.push(intake));
});

const toBob = new Api.InputPeerUser({ userId: bigInt(bob), accessHash: bigInt(1) });
const toChannel = new Api.InputPeerChannel({ channelId: bigInt(1_900_000_000), accessHash: bigInt(1) });
const send = (peer: Api.TypeInputPeer): Api.messages.SendMessage =>
  new Api.messages.SendMessage({ peer, message: "x", randomId: bigInt(9) });

async function afterReply(request: Api.AnyRequest, reply: unknown): Promise<readonly Intake[]> {
  const result = Promise.resolve(reply);
  calls.follow(request, result);
  await result;
  return pushed;
}

describe("responses", () => {
  test("to a text count and name the message", async () => {
    const reply = new Api.UpdateShortSentMessage({ out: true, id: 5, pts: 11, ptsCount: 1, date: 1 });
    expect(await afterReply(send(toBob), reply)).toEqual([{ kind: "counted", pts: 11, count: 1, sent: { message: 5, chat: bob } }]);
    expect(calls.has(5)).toBe(true);
  });

  test("in the long form are taken like pushes; ids of channels are not mixed up with the account's", async () => {
    const named = aContainer([new Api.UpdateMessageID({ id: 6, randomId: bigInt(9) })]);
    expect(await afterReply(send(toBob), named)).toEqual([{ kind: "packet", packet: named, own: true }]);
    await afterReply(send(toChannel), aContainer([new Api.UpdateMessageID({ id: 7, randomId: bigInt(9) })]));
    expect([calls.has(6), calls.has(7)]).toEqual([true, false]);
  });

  test("to reads and deletions count, those of a channel in its own count", async () => {
    const affected = new Api.messages.AffectedMessages({ pts: 12, ptsCount: 1 });
    await afterReply(new Api.messages.ReadHistory({ peer: toBob, maxId: 5 }), affected);
    await afterReply(
      new Api.channels.DeleteMessages({ channel: new Api.InputChannel({ channelId: bigInt(1), accessHash: bigInt(1) }), id: [1] }),
      affected,
    );
    expect(pushed).toEqual([
      { kind: "counted", pts: 12, count: 1 },
      { kind: "counted", pts: 12, count: 1, channel: "-1000000000001" },
    ]);
  });

  test("to a request that joins a chat are taken out of what later layers wrap them in", async () => {
    const updates = aContainer([new Api.UpdateMessageID({ id: 8, randomId: bigInt(9) })]);
    const reply = { className: "messages.ChatInviteJoinResultOk", updates };
    expect(await afterReply(new Api.messages.ImportChatInvite({ hash: "x" }), reply)).toEqual([
      { kind: "packet", packet: updates, own: true },
    ]);
  });

  test("to anything else are left alone", async () => {
    expect(await afterReply(new Api.users.GetUsers({ id: [] }), [])).toEqual([]);
    expect(
      await afterReply(new Api.updates.GetState(), new Api.updates.State({ pts: 1, qts: 0, date: 0, seq: 0, unreadCount: 0 })),
    ).toEqual([]);
  });
});

test("waits for sends in flight, and not for other calls", async () => {
  const { signal } = new AbortController();
  calls.follow(new Api.users.GetUsers({ id: [] }), new Promise(() => undefined));
  await calls.waitForReplies(signal);
  let reply: (result: unknown) => void = () => undefined;
  calls.follow(send(toBob), new Promise((resolve) => (reply = resolve)));
  calls.follow(send(toBob), Promise.reject(new Error("refused")));
  let settled = false;
  const waiting = calls.waitForReplies(signal).then(() => (settled = true));
  await Promise.resolve();
  expect(settled).toBe(false);
  reply(new Api.UpdateShortSentMessage({ out: true, id: 5, pts: 11, ptsCount: 1, date: 1 }));
  await waiting;
  expect(calls.has(5)).toBe(true);
});
