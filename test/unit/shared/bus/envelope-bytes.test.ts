import { describe, expect, it } from "vitest";
import { slotOf } from "../../../../shared/contract/slot.js";
import type { Envelope, Reply } from "../../../../shared/bus/envelope.js";
import { readEnvelope, readReply, writeEnvelope, writeReply } from "../../../../shared/bus/envelope-bytes.js";

const session = "0123456789abcdef01234567" as Envelope["session"];
const input = Buffer.concat([Buffer.from("a"), Buffer.alloc(150, 0x9f)]);
const plain = {
  id: "fedcba9876543210fedcba98",
  platform: "telegram",
  command: "send-message",
  session,
  slot: slotOf(session),
  replyTo: "router-1:1a2b3c4d",
  ttl: 240_000,
  attempt: 0,
  input,
} as Envelope;
const idempotency = { id: plain.id, body: ["a.mac"], replayOnly: true } as const;
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("an envelope in bytes", () => {
  it.each<[string, Partial<Envelope>]>([
    ["alone", {}],
    ["with a request's id of ours", { requestId: "0123456789abcdef0123456789abcdef" }],
    ["with a request's id of its caller", { requestId: 'Über "a"' }],
    ["with one that only looks like ours", { requestId: "0123456789ABCDEF0123456789ABCDEF" }],
    ["with a span", { traceparent }],
    ["with an idempotency key", { idempotency: { ...idempotency, body: [...idempotency.body] } }],
    ["that may have begun without a record", { begun: true }],
    ["of the other platform, once more, with a long time", { platform: "whatsapp", attempt: 300, ttl: 2 ** 32 - 1 }],
    ["with all, and as long as it may be", { requestId: "r", traceparent, input: Buffer.alloc(65_536, 7) }],
    ["without an input", { input: Buffer.of() }],
  ])("is written and read: %s", (_, more) => {
    const envelope = { ...plain, ...more };
    expect(readEnvelope(writeEnvelope(envelope))).toEqual(envelope);
  });

  it.each([
    ["whatsapp", 0],
    ["telegram", 1],
  ] as const)("names %s by the number that other versions know", (platform, number) => {
    expect(writeEnvelope({ ...plain, platform })[1]).toBe(number);
  });

  it("is read with what a later version writes behind it", () => {
    const later = Buffer.concat([writeEnvelope({ ...plain, requestId: "r" }), Buffer.from([99, 2, 1, 2])]);
    expect(readEnvelope(later)).toEqual({ ...plain, requestId: "r" });
  });

  const written = writeEnvelope(plain);
  it("is not read when it is cut off, wherever that is", () => {
    for (let length = 0; length < written.length; length += 1) expect(readEnvelope(written.subarray(0, length))).toBeUndefined();
  });

  it.each<[string, Buffer]>([
    ["of a later form", Buffer.from(written).fill(2, 0, 1)],
    ["of an unknown platform", Buffer.from(written).fill(9, 1, 2)],
    ["of something that is no session", writeEnvelope({ ...plain, session: "0123" as Envelope["session"] })],
    ["of something that is no command", writeEnvelope({ ...plain, id: "0123" as Envelope["id"] })],
    ["with an idempotency key that is none", Buffer.concat([written, Buffer.from([4, 2, 0x7b, 0x7d])])],
    ["with a length past its end", Buffer.concat([written, Buffer.from([1, 0xff, 0xff, 0xff, 0xff, 0x0f])])],
    ["with a length that never ends", Buffer.concat([written, Buffer.alloc(9, 0xff)])],
  ])("is not read when it is one %s", (_, other) => {
    expect(readEnvelope(other)).toBeUndefined();
  });
});

describe("a reply in bytes", () => {
  it.each<[string, Reply["outcome"]]>([
    ["an output", { kind: "ok", output: input }],
    ["an output of before", { kind: "ok", output: input, replayed: true }],
    ["an output in the cache", { kind: "ok-stored" }],
    ["an error", { kind: "error", status: 503, message: "server busy", retryAfterSeconds: 1, refused: true }],
    ["a move", { kind: "moved", begun: true }],
    ["a move without a record", { kind: "moved", begun: true, unrecorded: true }],
    ["an expiry", { kind: "expired" }],
  ])("is written and read: %s", (_, outcome) => {
    const reply: Reply = { id: plain.id, session, attempt: 3, outcome };
    const written = writeReply(reply);
    expect(readReply(written)).toEqual(reply);
    for (let length = 0; length < written.length; length += 1) expect(readReply(written.subarray(0, length))).toBeUndefined();
  });

  it("is none when it is something else", () => {
    expect([Buffer.of(), Buffer.of(1), Buffer.from("{}"), writeEnvelope(plain)].map(readReply)).toEqual(Array(4).fill(undefined));
  });
});
