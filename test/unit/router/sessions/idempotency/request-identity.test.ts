import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { identify, type KeyedRequest } from "../../../../../router/sessions/idempotency/request-identity.js";
import { KeyRing } from "../../../../../shared/config/key-ring.js";

const [old, next] = ["a", "b"].map((id) => `${id}:${randomBytes(32).toString("base64")}`);
const ring = KeyRing.parse(old ?? "");
const first: KeyedRequest = { scope: "s1", key: "k1", endpoint: "send-message", body: { type: "text", text: "private words" } };

describe("a request with an idempotency key", () => {
  it("has the same identity at every router", () => {
    expect(identify(KeyRing.parse(old ?? ""), { ...first, body: { text: "private words", type: "text" } })).toEqual(identify(ring, first));
  });

  it.each<[string, Partial<KeyedRequest>, { sameId: boolean; sameBody: boolean }]>([
    ["scope", { scope: "s2" }, { sameId: false, sameBody: false }],
    ["key", { key: "k2" }, { sameId: false, sameBody: true }],
    ["endpoint", { endpoint: "post-status" }, { sameId: true, sameBody: false }],
    ["body", { body: { type: "text", text: "other words" } }, { sameId: true, sameBody: false }],
  ])("is told from one with another %s", (_, change, { sameId, sameBody }) => {
    const [one, other] = [identify(ring, first), identify(ring, { ...first, ...change })];
    expect({ sameId: one.id === other.id, sameBody: one.body.join() === other.body.join() }).toEqual({ sameId, sameBody });
  });

  it("is recognised across a key rotation, in both directions", () => {
    const rotated = KeyRing.parse(`${next},${old}`);
    const [before, after] = [identify(ring, first).body, identify(rotated, first).body];
    expect(after).toContain(before[0]);
    expect(after[0]).toMatch(/^b\./);
  });

  it("shows nothing of key and body", () => {
    const keyed = { ...first, key: "a key of its own", body: { type: "text", text: "private words" } };
    expect(JSON.stringify(identify(ring, keyed))).not.toMatch(/a key of|private/);
    // Without a key of the ring, guessed bodies cannot be tested.
    expect(identify(KeyRing.parse(`a:${randomBytes(32).toString("base64")}`), first).body).not.toEqual(identify(ring, first).body);
  });
});
