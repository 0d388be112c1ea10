/**
 * Polls, with mtcute's requests (sendMedia, sendVote, closePoll), which changed with layer 224, and GramJS in the sandbox's layer. Errors
 * by Telethon's telethon_generator/data/methods.csv.
 */
import { Long, type tl } from "@mtcute/core";
import bigInt from "big-integer";
import { Api, type TelegramClient } from "telegram";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedChats } from "../../../telegram/world/seed.js";
import type { MtcuteClient } from "./mtcute-client.js";
import { TwoClients } from "./two-clients.js";

let clients: TwoClients;
let alice: TelegramClient;
let bob: MtcuteClient;

beforeAll(async () => {
  clients = await TwoClients.start();
  ({ alice, bob } = clients);
});
afterAll(async () => await clients.stop());

const group: tl.RawInputPeerChat = { _: "inputPeerChat", chatId: sharedChats.familyGroup };
const aliceGroup = (): Api.InputPeerChat => new Api.InputPeerChat({ chatId: bigInt(sharedChats.familyGroup) });
const plain = (text: string): tl.RawTextWithEntities => ({ _: "textWithEntities", text, entities: [] });
function poll(question: string, answers: readonly string[], more: Partial<tl.RawPoll> = {}): tl.RawPoll {
  const inputs = answers.map((text): tl.TypePollAnswer => ({ _: "inputPollAnswer", text: plain(text) }));
  return { _: "poll", id: Long.ZERO, question: plain(question), answers: inputs, hash: Long.ZERO, ...more };
}
let sends = 0;
const send = (given: tl.RawPoll, correctAnswers?: number[]) =>
  bob.client.call({
    _: "messages.sendMedia",
    peer: group,
    media: { _: "inputMediaPoll", poll: given, ...(correctAnswers && { correctAnswers }) },
    message: "",
    randomId: Long.fromNumber(Date.now() + sends++),
  });
async function sent(given: tl.RawPoll, correctAnswers?: number[]): Promise<number> {
  const answer = await send(given, correctAnswers);
  if (answer._ !== "updates") throw new Error(answer._);
  return answer.updates.flatMap((update) => (update._ === "updateNewMessage" ? [update.message.id] : []))[0] ?? 0;
}
const vote = (msgId: number, ...options: string[]) =>
  bob.client.call({ _: "messages.sendVote", peer: group, msgId, options: options.map((option) => Buffer.from(option)) });
/** Returns the group's newest poll in Alice's layer. */
async function seenByAlice(): Promise<{ id: number; media: Api.MessageMediaPoll }> {
  const none = { offsetId: 0, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0, hash: bigInt.zero };
  const history = await alice.invoke(new Api.messages.GetHistory({ peer: aliceGroup(), limit: 1, ...none }));
  const [message] = history instanceof Api.messages.MessagesNotModified ? [] : history.messages;
  if (!(message instanceof Api.Message) || !(message.media instanceof Api.MessageMediaPoll)) throw new Error("no poll");
  return { id: message.id, media: message.media };
}

it("is sent, voted in by clients of either layer, told of, and ended", async () => {
  const id = await sent(poll("Tea?", ["Yes", "No"], { publicVoters: true }));
  const { id: aliceMessage, media } = await seenByAlice();
  expect(media).toMatchObject({
    poll: { question: { text: "Tea?" }, publicVoters: true, answers: [{ text: { text: "Yes" } }, { text: { text: "No" } }] },
    results: { totalVoters: 0 },
  });
  await alice.invoke(new Api.messages.SendVote({ peer: aliceGroup(), msgId: aliceMessage, options: [Buffer.from("0")] }));
  const told = () => bob.pushed.flatMap((update) => (update._ === "updateMessagePoll" ? [update.results] : []));
  await expect.poll(told).toMatchObject([{ totalVoters: 1, recentVoters: [{ userId: clients.userId("alice") }] }]);
  expect(told()[0]?.results ?? [], "how it stands is not shown to those who have not voted").toEqual([]);
  expect(await vote(id, "1")).toMatchObject({
    updates: [
      {
        _: "updateMessagePoll",
        poll: { question: { text: "Tea?" }, answers: [{ text: { text: "Yes" } }, { text: { text: "No" } }] },
        results: {
          totalVoters: 2,
          results: [
            { voters: 1, chosen: false },
            { voters: 1, chosen: true },
          ],
        },
      },
    ],
  });
  expect((await seenByAlice()).media.results).toMatchObject({ totalVoters: 2, results: [{ chosen: true }, { voters: 1 }] });
  await expect(vote(id, "7")).rejects.toThrow("OPTION_INVALID");
  await expect(vote(id, "0", "1")).rejects.toThrow("OPTIONS_TOO_MUCH");
  expect(await vote(id)).toMatchObject({ updates: [{ results: { totalVoters: 1 } }] });
  const ended = { _: "inputMediaPoll", poll: poll("", [], { closed: true }) } as const;
  const close = () => bob.client.call({ _: "messages.editMessage", peer: group, id, media: ended });
  expect(await close()).toMatchObject({
    updates: [{ _: "updateMessagePoll", poll: { closed: true }, results: { results: [{ voters: 1 }, {}] } }],
  });
  await expect(close()).rejects.toThrow("MESSAGE_NOT_MODIFIED");
  await expect(vote(id, "0")).rejects.toThrow("MESSAGE_POLL_CLOSED");
});

it("is a quiz with one right answer, which is voted in once", async () => {
  const id = await sent(poll("2 + 2", ["3", "4"], { quiz: true }), [1]);
  expect(await vote(id, "0")).toMatchObject({ updates: [{ results: { results: [{ chosen: true, correct: false }, { correct: true }] } }] });
  await expect(vote(id, "1")).rejects.toThrow("REVOTE_NOT_ALLOWED");
  const results = await bob.client.call({ _: "messages.getPollResults", peer: group, msgId: id, pollHash: Long.ZERO });
  expect(results).toMatchObject({ updates: [{ results: { totalVoters: 1 } }] });
});

it("is refused where the platform refuses it", async () => {
  const quiz = { quiz: true } as const;
  await expect(send(poll(" ", ["a", "b"]))).rejects.toThrow("POLL_QUESTION_INVALID");
  await expect(send(poll("one?", ["a"]))).rejects.toThrow("POLL_ANSWERS_INVALID");
  await expect(send(poll("which?", ["a", "b"], quiz))).rejects.toThrow("QUIZ_CORRECT_ANSWERS_EMPTY");
  await expect(send(poll("which?", ["a", "b"], quiz), [0, 1])).rejects.toThrow("QUIZ_CORRECT_ANSWERS_TOO_MUCH");
  await expect(send(poll("which?", ["a", "b"], quiz), [2])).rejects.toThrow("QUIZ_CORRECT_ANSWER_INVALID");
  await expect(send(poll("which?", ["a", "b"], { ...quiz, multipleChoice: true }), [0])).rejects.toThrow("QUIZ_MULTIPLE_INVALID");
  await expect(vote(1, "0")).rejects.toThrow("MESSAGE_ID_INVALID");
  const channelId = sharedChats.bobChannel;
  const peer: tl.RawInputPeerChannel = { _: "inputPeerChannel", channelId, accessHash: clients.bobsHash("channel", channelId) };
  const media = { _: "inputMediaPoll", poll: poll("who?", ["a", "b"], { publicVoters: true }) } as const;
  await expect(bob.client.call({ _: "messages.sendMedia", peer, media, message: "", randomId: Long.fromNumber(1) })).rejects.toThrow(
    "BROADCAST_PUBLIC_VOTERS_FORBIDDEN",
  );
});

it("lasts over a restart, with its votes", async () => {
  const id = await sent(poll("Again?", ["Yes", "No", "Later"], { multipleChoice: true }));
  await vote(id, "0", "2");
  await clients.restart();
  ({ bob } = clients);
  const [message] = await messages(id);
  expect(message).toMatchObject({
    media: { poll: { multipleChoice: true }, results: { totalVoters: 1, results: [{ chosen: true }, {}, { chosen: true }] } },
  });
});

async function messages(id: number): Promise<tl.TypeMessage[]> {
  const found = await bob.client.call({ _: "messages.getMessages", id: [{ _: "inputMessageID", id }] });
  return found._ === "messages.messages" ? found.messages : [];
}
