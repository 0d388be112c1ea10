import { describe, expect, it } from "vitest";
import { parseEnvelope, parseReply } from "../../../../shared/bus/envelope.js";

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
