import { createCipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { proto } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { chosenOptions, KnownPolls, pollIn, type KnownPoll } from "../../../../../shard/whatsapp/events/known-polls.js";
import { TestContext } from "../../../../platform/session-context.js";
import { all, ann, aStanza, bob, group, messageEvents, received } from "./events-under-test.js";

const poll: KnownPoll = { id: "P1", chat: group, creators: [ann, bob], options: ["Yes", "No", "Perhaps"], secret: randomBytes(32) };
const day = 24 * 3_600_000;

/** Encrypts a vote as whatsmeow's msgsecret.go, encryptMsgSecret, does. */
function voteOf(
  options: readonly string[],
  { creator = ann, voter = bob, secret = poll.secret, id = poll.id } = {},
): proto.Message.IPollEncValue {
  const selectedOptions = options.map((one) => createHash("sha256").update(one).digest());
  const vote = proto.Message.PollVoteMessage.encode(proto.Message.PollVoteMessage.create({ selectedOptions })).finish();
  const extracted = createHmac("sha256", Buffer.alloc(32)).update(secret).digest();
  const key = createHmac("sha256", extracted)
    .update(`${id}${creator}${voter}Poll Vote`)
    .update(Buffer.from([1]))
    .digest();
  const encIv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, encIv).setAAD(Buffer.from(`${id}\0${voter}`));
  return { encPayload: Buffer.concat([cipher.update(vote), cipher.final(), cipher.getAuthTag()]), encIv };
}

describe("the polls of an account", () => {
  it("are found by their ids, and the first poll of an id stays", async () => {
    const polls = new KnownPolls(new TestContext().secrets);
    await polls.add(poll);
    await polls.add({ ...poll, secret: randomBytes(32), options: ["Other"] });
    expect(await polls.find("P1")).toEqual({ ...poll, secret: Buffer.from(poll.secret) });
    expect(await polls.find("P2")).toBeUndefined();
  });

  it("are the newest 100 of the last 30 days", async () => {
    const context = new TestContext();
    let now = 0;
    const polls = new KnownPolls(context.secrets, () => now);
    for (let n = 0; n < 103; n += 1) await polls.add({ ...poll, id: `P${n}` });
    expect(await polls.find("P2")).toBeUndefined();
    expect(await polls.find("P3")).toBeDefined();
    expect(context.storage.secrets?.size).toBe(101);
    now = 31 * day;
    await polls.add({ ...poll, id: "new" });
    expect(context.storage.secrets?.size).toBe(2);
  });

  it("are not kept if they are too large for an app's poll", async () => {
    const context = new TestContext();
    const polls = new KnownPolls(context.secrets);
    await polls.add({ ...poll, options: ["x".repeat(70_000)] });
    await polls.add({ ...poll, id: "P".repeat(300) });
    expect(context.storage.secrets?.size ?? 0).toBe(0);
  });

  it("are added in turn, also at the same moment", async () => {
    const polls = new KnownPolls(new TestContext().secrets);
    await Promise.all(["A", "B", "C"].map((id) => polls.add({ ...poll, id })));
    expect(await Promise.all(["A", "B", "C"].map(async (id) => (await polls.find(id))?.id))).toEqual(["A", "B", "C"]);
  });
});

describe("a vote", () => {
  it("names the options that the person chose, in the poll's order", () => {
    expect(chosenOptions(poll, voteOf(["No", "Yes"]), [bob])).toEqual(["Yes", "No"]);
    expect(chosenOptions(poll, voteOf([]), [bob])).toEqual([]);
    expect(chosenOptions(poll, voteOf(["Unknown"]), [bob])).toEqual([]);
  });

  it("opens with either JID of its voter and of the poll's author", () => {
    expect(chosenOptions(poll, voteOf(["No"], { creator: bob, voter: ann }), [bob, ann])).toEqual(["No"]);
  });

  it("opens for nobody else and for no other poll", () => {
    expect(chosenOptions(poll, voteOf(["No"]), [ann])).toBeUndefined();
    expect(chosenOptions(poll, voteOf(["No"], { secret: randomBytes(32) }), [bob])).toBeUndefined();
    expect(chosenOptions(poll, voteOf(["No"], { id: "P2" }), [bob])).toBeUndefined();
    expect(chosenOptions(poll, {}, [bob])).toBeUndefined();
    expect(chosenOptions(poll, { encPayload: Buffer.alloc(3), encIv: Buffer.alloc(12) }, [bob])).toBeUndefined();
  });
});

it("a message without a secret of 32 bytes is no poll to vote in", () => {
  const creation = { name: "?", options: [{ optionName: "Yes" }, { optionName: "No" }] };
  const messageSecret = randomBytes(32);
  expect(pollIn(received({ pollCreationMessageV3: creation, messageContextInfo: { messageSecret } }))).toMatchObject({
    options: ["Yes", "No"],
  });
  expect(pollIn(received({ pollCreationMessageV3: creation, messageContextInfo: { messageSecret: randomBytes(16) } }))).toBeUndefined();
  expect(pollIn(received({ pollCreationMessage: creation }))).toBeUndefined();
  expect(pollIn(received({ conversation: "hi", messageContextInfo: { messageSecret } }))).toBeUndefined();
});

it("a vote becomes an event if its poll was seen in the same group", async () => {
  const events = messageEvents();
  const options = ["Yes", "No"].map((optionName) => ({ optionName }));
  const made = received({ pollCreationMessageV3: { name: "?", options }, messageContextInfo: { messageSecret: poll.secret } });
  const inGroup = { kind: "group", chat: group } as const;
  const cast = received({ pollUpdateMessage: { pollCreationMessageKey: { id: "P1" }, vote: voteOf(["No"]) } });
  const vote = aStanza({ ...inGroup, id: "V1", author: bob });
  expect(await events.of(vote, cast, all)).toEqual([]);
  await events.of(aStanza({ ...inGroup, id: "P1", author: ann }), made, all);
  expect(await events.of(vote, cast, all)).toMatchObject([
    { type: "poll.vote", data: { chat: { id: group }, author: { id: bob }, fromMe: false, messageId: "P1", options: ["No"] } },
  ]);
  expect(await events.of({ ...vote, chat: "120363000000000009@g.us" }, cast, all)).toEqual([]);
  expect(await events.of(aStanza({ id: "V2", chat: bob, author: bob }), cast, all)).toEqual([]);
  expect(await events.of(vote, cast, new Set(["message.new"]))).toEqual([]);
});
