import { describe, expect, it } from "vitest";
import { slotOf } from "../../../../shared/cluster/slot.js";
import type { Reply, TextEnvelope } from "../../../../shared/bus/envelope.js";
import { envelopeText, parseEnvelope, parseReply, replyText } from "../../../../shared/bus/envelope-text.js";

/** As routers of before requests had ids wrote it. */
const before = {
  v: 1,
  id: "0123456789abcdef01234567",
  platform: "telegram",
  command: "send-message",
  session: "0123456789abcdef01234567",
  slot: 7,
  replyTo: "router-1:1a2b3c4d",
  ttl: 60_000,
  attempt: 0,
  input: "a.c2VhbGVk",
};

describe("envelopes of two versions at once", () => {
  it("one without a request's id is read", () => {
    expect(parseEnvelope(JSON.stringify(before))).toEqual(before);
  });

  it("one with it is read", () => {
    expect(parseEnvelope(JSON.stringify({ ...before, requestId: 'a"b' }))).toEqual({ ...before, requestId: 'a"b' });
  });

  // As a shard of before reads one of now.
  it("one with a field that this version does not know is read", () => {
    expect(parseEnvelope(JSON.stringify({ ...before, later: { a: 1 } }))).toMatchObject(before);
  });

  it.each([{ v: 2 }, { platform: "pigeon" }, { slot: 4_096 }, { requestId: 5 }, { session: "x" }, { input: { text: "in the clear" } }])(
    "one that is another form is not: %j",
    (change) => {
      expect(parseEnvelope(JSON.stringify({ ...before, ...change }))).toBeUndefined();
    },
  );

  it("a reply with a field that this version does not know is read", () => {
    const reply = { id: before.id, session: before.session, outcome: { kind: "ok", output: 1 } };
    expect(parseReply(JSON.stringify({ ...reply, later: 1 }))).toMatchObject(reply);
  });
});

describe("an envelope of schema 2", () => {
  const session = before.session as TextEnvelope["session"];
  const plain = { ...before, v: 2, slot: slotOf(session) } as TextEnvelope;
  const idempotency = { id: before.id, body: ["a.mac"], replayOnly: true } as TextEnvelope["idempotency"];

  it.each<[string, Partial<TextEnvelope>]>([
    ["alone", {}],
    ["with a request's id", { requestId: 'a"b' }],
    ["with a span", { traceparent: "00-1-2-01" }],
    ["with an idempotency key", { idempotency } as Partial<TextEnvelope>],
    ["with all", { requestId: "r", traceparent: "00-1-2-01", idempotency } as Partial<TextEnvelope>],
  ])("is written and read: %s", (_, more) => {
    expect(parseEnvelope(envelopeText({ ...plain, ...more }))).toEqual({ ...plain, ...more });
  });

  it("is no longer than two thirds of one of before, which both write and read", () => {
    const former: TextEnvelope = { ...plain, v: 1 };
    expect(parseEnvelope(envelopeText(former))).toEqual(former);
    expect(envelopeText(plain).length).toBeLessThan((envelopeText(former).length * 2) / 3);
  });

  it("is read with what a later version writes behind it", () => {
    const all = { ...plain, requestId: "r", traceparent: "t", idempotency } as TextEnvelope;
    const later = [...(JSON.parse(envelopeText(all)) as unknown[]), { later: 1 }];
    expect(parseEnvelope(JSON.stringify(later))).toEqual(all);
  });

  const list = JSON.parse(envelopeText(plain)) as unknown[];
  it.each<[string, unknown[]]>([
    ["of a later schema", list.with(0, 3)],
    ["of an unknown platform", list.with(2, "pigeon")],
    ["of something that is no session", list.with(4, "x")],
    ["with its input in the clear", list.with(8, { text: "in the clear" })],
    ["cut off", list.slice(0, 8)],
    ["of nothing", []],
  ])("is not read when it is one %s", (_, other) => {
    expect(parseEnvelope(JSON.stringify(other))).toBeUndefined();
  });

  it.each<[string, Reply["outcome"]]>([
    ["an output", { kind: "ok", output: "a.sealed" }],
    ["an output of before", { kind: "ok", output: "a.sealed", replayed: true }],
    ["an output in the cache", { kind: "ok-stored" }],
    ["an error", { kind: "error", status: 503, message: "server busy", retryAfterSeconds: 1, refused: true }],
    ["a move", { kind: "moved", begun: true }],
    ["an expiry", { kind: "expired" }],
  ])("is answered by a reply of its own form: %s", (_, outcome) => {
    const reply: Reply = { id: plain.id, session, attempt: 3, outcome };
    for (const v of [1, 2] as const) expect(parseReply(replyText(reply, v))).toEqual(reply);
    expect(replyText(reply, 2).startsWith("[2,")).toBe(true);
    expect(replyText(reply, 1).startsWith("{")).toBe(true);
  });

  it("is answered by nothing that is a list of something else", () => {
    expect(["[]", "[3]", '[2,"a"]', "[2,", '[2,"a","b","c"]'].map(parseReply)).toEqual(Array(5).fill(undefined));
  });
});
