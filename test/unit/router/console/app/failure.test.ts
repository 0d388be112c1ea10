import { describe, expect, it } from "vitest";
import { asFailure, failureOf, faultsByField, sentenceOf } from "../../../../../router/console/app/api/failure.js";

describe("an error response", () => {
  it("shows the API's message, and the seconds of Retry-After", () => {
    expect(failureOf(500, '{"statusCode":500,"message":"session not connected"}', null)).toMatchObject({
      status: 500,
      message: "session not connected",
      retryAfterSeconds: undefined,
    });
    expect(failureOf(429, '{"statusCode":429,"message":"too many requests"}', "7").retryAfterSeconds).toBe(7);
  });
  it.each(["<html>bad gateway</html>", "", "[]", "null", '{"message":""}', '{"message":{}}'])(
    "shows the status for a body without a message: %j",
    (text) => {
      expect(failureOf(502, text, "soon")).toMatchObject({ message: "Unexpected response (502).", retryAfterSeconds: undefined });
    },
  );
  it("keeps the request id, with which operators find it in the logs", () => {
    expect(failureOf(503, "", null, "6b08").requestId).toBe("6b08");
    expect(failureOf(503, "", null).requestId).toBe("");
  });
  it("turns a message into a sentence with a capital letter and a period", () => {
    expect(["server busy", "Can't reach the gateway."].map(sentenceOf)).toEqual(["Server busy.", "Can't reach the gateway."]);
  });
  it("keeps a failure unchanged, and gives other thrown errors the status 0", () => {
    const failure = failureOf(404, "", null);
    expect(asFailure(failure)).toBe(failure);
    expect(asFailure(new TypeError("odd"))).toMatchObject({ status: 0, message: "odd" });
  });
});

describe("error messages by field", () => {
  it.each<[string, Record<string, string>]>([
    ["text should not be empty", { text: "text should not be empty" }],
    ["url must be a string\ntoken must be a string", { url: "url must be a string", token: "token must be a string" }],
    [
      "video.url should not be empty\nvideo.duration must be a positive number",
      { "video.url": "video.url should not be empty", "video.duration": "video.duration must be a positive number" },
    ],
    ["session not connected", { "": "session not connected" }],
    ["texture is wrong", { "": "texture is wrong" }],
    ["url is bad\nurl is worse", { url: "url is bad\nurl is worse" }],
  ])("%j", (message, expected) => {
    expect(Object.fromEntries(faultsByField(message, ["text", "url", "token", "video.url", "video.duration"]))).toEqual(expected);
  });
});
