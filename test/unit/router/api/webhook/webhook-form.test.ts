import { describe, expect, it } from "vitest";
import { parseWebhookForm } from "../../../../../router/api/webhook/webhook-form.js";
import { telegramEventTypes, whatsappEventTypes } from "../../../../../shared/contract/webhook-events.js";
import { wording } from "../../../../../router/whatsapp/wording.js";

const receiver = { url: "http://127.0.0.1:7777/x", token: "t" };
const off = { url: "", token: "" };
const parse = (body: unknown, types: Parameters<typeof parseWebhookForm>[1] = whatsappEventTypes): unknown =>
  parseWebhookForm(body, types, wording);

describe("the events of a webhook", () => {
  it.each<[string, object, object]>([
    ["absent", receiver, receiver],
    ["null", { ...receiver, events: null }, receiver],
    ["an empty text", { ...receiver, events: " " }, receiver],
    ["one", { ...receiver, events: ["message.new"] }, { ...receiver, events: ["message.new"] }],
    [
      "a duplicate",
      { ...receiver, events: ["call.offered", "message.new", "call.offered"] },
      { ...receiver, events: ["call.offered", "message.new"] },
    ],
    ["all", { ...receiver, events: whatsappEventTypes }, { ...receiver, events: whatsappEventTypes }],
    ["a webhook that is turned off", { ...off, events: ["message.new"] }, off],
    ["a webhook that is turned off, with an invalid list", { ...off, events: 5 }, off],
  ])("%s", (_, body, settings) => {
    expect(parse(body)).toEqual(settings);
  });

  const types = (all: readonly string[]): string => `each value in events must be one of the following values: ${all.join(", ")}`;
  it.each<[object, string]>([
    [{ ...receiver, events: "message.new" }, "events must be an array"],
    [{ ...receiver, events: {} }, "events must be an array"],
    [{ ...receiver, events: 0 }, "events must be an array"],
    [{ ...receiver, events: [] }, "events should not be empty"],
    [{ ...receiver, events: ["message.new", "poem"] }, types(whatsappEventTypes)],
    [{ ...receiver, events: ["test"] }, types(whatsappEventTypes)],
    [{ ...receiver, events: [null] }, types(whatsappEventTypes)],
    [{ ...receiver, events: [["message.new"]] }, types(whatsappEventTypes)],
    [{ events: 5 }, "url must be a string\ntoken must be a string\nevents must be an array"],
    [{ url: "", token: "t", events: ["x"] }, types(whatsappEventTypes)],
  ])("%j: 400", (body, message) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ status: 400, message }));
  });

  it("are those of the platform", () => {
    expect(() => parse({ ...receiver, events: ["call.offered"] }, telegramEventTypes)).toThrow(
      expect.objectContaining({ status: 400, message: types(telegramEventTypes) }),
    );
  });
});
