import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { KeyRing } from "../../../../shared/config/key-ring.js";
import { newSessionId } from "../../../../shared/contract/ids.js";
import type { WebhookSettings } from "../../../../shared/contract/session.js";
import { openWebhook, sealWebhook, webhookContext } from "../../../../shared/session/webhook-settings.js";

const ring = KeyRing.parse(`a:${randomBytes(32).toString("base64")}`);
const id = newSessionId(Date.now());

it.each<[string, WebhookSettings]>([
  ["without events", { url: "http://h/", token: "t" }],
  ["with events", { url: "http://h/", token: "t", events: ["message.new", "session.state"] }],
  ["off", { url: "", token: "" }],
])("opens what was sealed: %s", (_, settings) => {
  expect(openWebhook(ring, id, sealWebhook(ring, id, settings))).toEqual(settings);
});

it("ignores event types of a later version", () => {
  const sealed = ring.seal(
    Buffer.from('{"url":"http://h/","token":"t","events":["message.new","message.sung"],"more":1}'),
    webhookContext(id),
  );
  expect(openWebhook(ring, id, sealed)).toMatchObject({ url: "http://h/", token: "t", events: ["message.new"] });
});
