import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifyWebhook, type WebhookHeaders } from "../../../../deploy/client/verify-webhook.js";

const token = "a token of 32 characters or more";
const body = Buffer.from('{"type":"message.new","text":"👋"}');
const at = 1_790_000_000;
const now = (): number => at * 1_000;

function signed(given: { id?: string; at?: string; body?: Uint8Array; token?: string } = {}): Record<string, string> {
  const id = given.id ?? "event-1";
  const seconds = given.at ?? String(at);
  const mac = createHmac("sha256", given.token ?? token)
    .update(`${id}.${seconds}.`)
    .update(given.body ?? body)
    .digest("base64");
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${mac}` };
}

describe("a request of the gateway", () => {
  it.each<[string, WebhookHeaders]>([
    ["as Node's servers have it", signed()],
    ["as fetch has it", new Headers(signed())],
    ["with another signature beside it", { ...signed(), "webhook-signature": `v1,AAAA ${signed()["webhook-signature"] ?? ""}` }],
    ["five minutes old", signed({ at: String(at - 300) })],
    ["five minutes ahead", signed({ at: String(at + 300) })],
  ])("%s", (_, headers) => expect(verifyWebhook(headers, body, token, { now })).toBe(true));

  it("with a text for a body", () => expect(verifyWebhook(signed(), body.toString(), token, { now })).toBe(true));
});

describe("anything else", () => {
  it.each<[string, WebhookHeaders]>([
    ["without headers", {}],
    ["of another token", signed({ token: "another" })],
    ["of another body", signed({ body: Buffer.from("{}") })],
    ["older than five minutes", signed({ at: String(at - 301) })],
    ["more than five minutes ahead", signed({ at: String(at + 301) })],
    ["with another id", { ...signed(), "webhook-id": "event-2" }],
    ["with another time", { ...signed(), "webhook-timestamp": String(at + 1) }],
    ["with a time that is none", { ...signed({ at: "soon" }) }],
    ["with a time like a number", { ...signed({ at: "1.79e9" }) }],
    ["without its version", { ...signed(), "webhook-signature": (signed()["webhook-signature"] ?? "").slice(3) }],
    ["of another version", { ...signed(), "webhook-signature": (signed()["webhook-signature"] ?? "").replace("v1", "v2") }],
    ["with a part of the signature", { ...signed(), "webhook-signature": (signed()["webhook-signature"] ?? "").slice(0, -1) }],
    ["with the signature twice as a list", { ...signed(), "webhook-signature": [signed()["webhook-signature"] ?? ""] }],
    ["with an empty signature", { ...signed(), "webhook-signature": "" }],
  ])("%s", (_, headers) => expect(verifyWebhook(headers, body, token, { now })).toBe(false));

  it("under an empty token, with which anybody could sign", () => {
    expect(verifyWebhook(signed({ token: "" }), body, "", { now })).toBe(false);
  });
});
