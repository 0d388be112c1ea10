import { describe, expect, it } from "vitest";
import { defaultTries, nextTry, type Tried } from "../../../../deploy/client/next-try.js";

const answer = (status: number, errorCode: string | null = null, retryAfter: string | null = null): Tried => ({
  kind: "answer",
  status,
  errorCode,
  retryAfter,
});
const broken: Tried = { kind: "broken" };
const first = { done: 1, waitedMs: 0 };

describe("what is tried again", () => {
  it.each<[string, boolean, Tried, boolean]>([
    ["GET", false, broken, true],
    ["HEAD", false, broken, true],
    ["POST", true, broken, true],
    ["POST", false, broken, false],
    ["PUT", false, broken, false],
    ["DELETE", false, broken, false],
    ["POST", false, answer(429), true],
    ["DELETE", false, answer(503, "busy"), true],
    ["POST", false, answer(503), false],
    ["POST", false, answer(502), false],
    ["POST", true, answer(502), true],
    ["GET", false, answer(504), true],
    ["GET", false, answer(503, "platform-wait"), true],
    ["GET", false, answer(500, "session-not-ready"), true],
    ["POST", true, answer(500, "session-not-ready"), true],
    ["POST", false, answer(500, "session-not-ready"), false],
    ["GET", false, answer(500, "session-not-connected"), false],
    ["POST", true, answer(500, "internal"), false],
    ["POST", true, answer(500, "platform-refused"), false],
    ["GET", false, answer(200), false],
    ["GET", false, answer(304), false],
    ["POST", true, answer(400), false],
    ["POST", true, answer(422), false],
    ["GET", false, answer(404), false],
  ])("%s, key: %s, %j: %s", (method, hasKey, tried, again) => {
    expect(nextTry({ method, hasKey }, tried, first, defaultTries, 0.5) !== undefined).toBe(again);
  });
});

describe("the wait", () => {
  const get = { method: "GET", hasKey: false };

  it.each([
    [1, 250],
    [2, 500],
    [3, 1_000],
  ])("after try %i is up to twice the one before, by chance: %i ms", (done, waitMs) => {
    expect(nextTry(get, broken, { done, waitedMs: 0 }, defaultTries, 0.5)).toBe(waitMs);
  });

  it("is the wait in Retry-After", () => expect(nextTry(get, answer(429, null, "7"), first, defaultTries, 0)).toBe(7_000));

  it.each([
    ["past all tries", answer(429, null, "1"), { done: 4, waitedMs: 0 }],
    ["longer than anybody waits", answer(429, null, "61"), first],
    ["all waits together", answer(429, null, "31"), { done: 2, waitedMs: 30_000 }],
  ])("ends: %s", (_, tried, state) => expect(nextTry(get, tried, state, defaultTries, 0.5)).toBeUndefined());

  it.each(["Wed, 21 Oct 2026 07:28:00 GMT", "-1", "1.5", ""])("%j is none that the gateway says", (named) => {
    expect(nextTry(get, answer(429, null, named), first, defaultTries, 0.5)).toBe(250);
  });
});
