import { describe, expect, it } from "vitest";
import { readIdempotencyKey } from "../../../../../router/sessions/idempotency/idempotency-key.js";
import { aRequest } from "../../support.js";

const refused = "idempotency-key must be 1 to 255 printable ascii characters";

describe("the header Idempotency-Key", () => {
  it("may be absent", () => {
    expect(readIdempotencyKey(aRequest({}))).toBeUndefined();
  });

  it.each<[string, string]>([
    ["a word", "order-4711"],
    ["a quoted one, with its quotes", '"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
    ["any printable ascii", " !~"],
    ["255 characters", "k".repeat(255)],
  ])("is %s", (_, key) => {
    expect(readIdempotencyKey(aRequest({ "idempotency-key": key }))).toBe(key);
  });

  it.each<[string, string | string[], string]>([
    ["empty", "", refused],
    ["over 255 characters", "k".repeat(256), refused],
    ["not ascii", "schlüssel", refused],
    ["not printable", "a\tb", refused],
    ["repeated", ["a", "b"], "idempotency-key must be given only once"],
    ["repeated with the same value", ["a", "a"], "idempotency-key must be given only once"],
  ])("that is %s is 400", (_, key, message) => {
    expect(() => readIdempotencyKey(aRequest({ "idempotency-key": key }))).toThrow(expect.objectContaining({ status: 400, message }));
  });
});
