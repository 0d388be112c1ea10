import { expect, it } from "vitest";
import { subscribedIn } from "../../../../shard/whatsapp/channel/list-subscribed.js";

const responseWith = (report: unknown): Parameters<typeof subscribedIn>[0] => ({
  tag: "iq",
  attrs: {},
  content: [{ tag: "result", attrs: {}, content: Buffer.from(JSON.stringify(report)) }],
});

it.each<[string, unknown, string]>([
  ["in the platform's words", { errors: [{ message: "403: not yours" }, { message: "more" }] }, "403: not yours"],
  ["in ours where it says nothing", { errors: [{}] }, "channels could not be listed"],
  ["in ours where it says no text", { errors: [{ message: 7 }] }, "channels could not be listed"],
])("reports a refusal %s", (_, report, message) => {
  expect(() => subscribedIn(responseWith(report))).toThrow(message);
});

it.each<unknown>([{}, { data: {} }, { data: { xwa2_newsletter_subscribed: [] } }, { errors: [], data: null }, null])(
  "%j is no channel",
  (report) => {
    expect(subscribedIn(responseWith(report))).toEqual([]);
  },
);
