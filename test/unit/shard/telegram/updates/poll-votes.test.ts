import { Api } from "telegram";
import bigInt from "big-integer";
import { describe, expect, test } from "vitest";
import { compareVotes, followedPoll, packPoll, unpackPoll, withVotes } from "../../../../../shard/telegram/updates/poll-votes.js";
import { aMessage, bob } from "./packets.js";

const carol = "700000003";
const plain = (text: string): Api.TextWithEntities => new Api.TextWithEntities({ text, entities: [] });
const answers = ["Yes", "No"].map((text, index) => new Api.PollAnswer({ text: plain(text), option: Buffer.from([index]) }));
const results = new Api.PollResults({});

function aPoll(publicVoters: boolean): Api.Message {
  const poll = new Api.Poll({ id: bigInt(7), question: plain("Tea?"), answers, ...(publicVoters && { publicVoters }) });
  return aMessage({ id: 5, media: new Api.MessageMediaPoll({ poll, results }) });
}

test("polls that show their voters are followed", () => {
  const followed = followedPoll(aPoll(true), bob);
  expect(followed).toMatchObject({
    name: "poll 7",
    poll: {
      chat: bob,
      message: 5,
      options: [
        ["AA==", "Yes"],
        ["AQ==", "No"],
      ],
    },
  });
  expect(followedPoll(aPoll(false), bob)).toBeUndefined();
  expect(followedPoll(aMessage(), bob)).toBeUndefined();
});

describe("votes", () => {
  const vote = (person: string, ...chosen: string[]) => ({ person, chosen, at: 3 });
  const known = new Map([[bob, ["AA=="]]]);

  test("are reported if they are new or changed, oldest first", () => {
    const votes = [vote(carol, "AQ=="), vote(bob, "AQ==")];
    expect(compareVotes(known, { votes, complete: true, date: 9 })).toEqual([vote(bob, "AQ=="), vote(carol, "AQ==")]);
    expect(compareVotes(known, { votes: [vote(bob, "AA==")], complete: true, date: 9 })).toEqual([]);
  });

  test("are withdrawn if a complete list lacks them", () => {
    expect(compareVotes(known, { votes: [], complete: true, date: 9 })).toEqual([{ person: bob, chosen: [], at: 9 }]);
    expect(compareVotes(known, { votes: [], complete: false, date: 9 })).toEqual([]);
    expect(compareVotes(new Map([[bob, []]]), { votes: [], complete: true, date: 9 })).toEqual([]);
  });

  test("of the people who voted last are kept longest", () => {
    const both = withVotes(known, [vote(carol, "AA==")]);
    expect([...withVotes(both, [vote(bob, "AQ==")])]).toEqual([
      [carol, ["AA=="]],
      [bob, ["AQ=="]],
    ]);
  });
});

test("a stored poll can be read again, without withdrawn votes, and a damaged one counts as none", () => {
  const { poll } = followedPoll(aPoll(true), bob) ?? {};
  if (poll === undefined) throw new Error("not followed");
  const votes = new Map([
    [bob, ["AA=="]],
    [carol, []],
  ]);
  expect(unpackPoll(packPoll({ ...poll, votes, event: "e" }))).toEqual({ ...poll, votes: new Map([[bob, ["AA=="]]]), event: "e" });
  for (const text of [undefined, "[]"]) expect(unpackPoll(text)).toBeUndefined();
});
