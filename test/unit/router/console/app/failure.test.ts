import { describe, expect, it } from "vitest";
import { asFailure, failureOf, faultsByField, sentenceOf } from "../../../../../router/console/app/api/failure.js";

describe("an answer that is no success", () => {
  it("is told in the API's own words", () => {
    expect(failureOf(500, '{"statusCode":500,"message":"session not connected"}', null)).toMatchObject({
      status: 500,
      message: "session not connected",
      retryAfterSeconds: undefined,
    });
    expect(failureOf(429, '{"statusCode":429,"message":"too many requests"}', "7").retryAfterSeconds).toBe(7);
  });
  it.each(["<html>bad gateway</html>", "", "[]", "null", '{"message":""}', '{"message":{}}'])("without a sentence of ours: %j", (text) => {
    expect(failureOf(502, text, "soon")).toMatchObject({ message: "Unexpected response (502).", retryAfterSeconds: undefined });
  });
  it("keeps the request id, for whoever reads the logs", () => {
    expect(failureOf(503, "", null, "6b08").requestId).toBe("6b08");
    expect(failureOf(503, "", null).requestId).toBe("");
  });
  it("becomes a sentence with a capital and a period", () => {
    expect(["server busy", "Can't reach the gateway."].map(sentenceOf)).toEqual(["Server busy.", "Can't reach the gateway."]);
  });
  it("stays itself, and whatever else was thrown has no status", () => {
    const failure = failureOf(404, "", null);
    expect(asFailure(failure)).toBe(failure);
    expect(asFailure(new TypeError("odd"))).toMatchObject({ status: 0, message: "odd" });
  });
});

describe("sentences beside their fields", () => {
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
