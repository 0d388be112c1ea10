import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../shared/contract/api-error.js";
import { commandRows } from "../../../../shared/contract/commands.js";
import { FencedError } from "../../../../shared/redis/script.js";
import { planFailure, type FailureCircumstances } from "../../../../shard/bus/failure-plan.js";

const { "list-groups": read, "send-message": send, "describe-media": media } = commandRows.telegram;
const calm: FailureCircumstances = { facts: send, begun: false, dispatched: false, dropped: false, left: false, late: false };
const abort = new DOMException("cut", "AbortError");
const timeout = new DOMException("deadline", "TimeoutError");
const redisAway = new Error("Connection is closed.");
const api = new ApiError(400, "chat not found");
const apiWithCause = new ApiError(503, "telegram asked to wait 7s", { retryAfterSeconds: 7, cause: new Error("FLOOD_WAIT_7") });
const busy = {
  kind: "answered",
  outcome: { kind: "error", status: 503, message: "storage unavailable", retryAfterSeconds: 1 },
  report: "nothing",
};
const withReply = (status: number, message: string, report: string): object => ({
  kind: "answered",
  outcome: { kind: "error", status, message },
  report,
});

describe("a command that failed", () => {
  it.each<[string, unknown, Partial<FailureCircumstances>, object]>([
    ["of a caller who has gone is dropped", api, { dropped: true, left: true, late: true }, { kind: "dropped" }],
    ["because its slot has another owner moves", new FencedError(), {}, { kind: "moved" }],
    ["while its slot leaves moves", api, { left: true }, { kind: "moved" }],
    [
      "while its slot leaves moves, however far it was",
      abort,
      { left: true, late: true, begun: true, dispatched: true },
      { kind: "moved" },
    ],
    ["with a sentence tells it", api, {}, withReply(400, "chat not found", "nothing")],
    ["with a sentence tells it although its time is over", api, { late: true }, withReply(400, "chat not found", "nothing")],
    [
      "with a private reason keeps that for the log",
      apiWithCause,
      {},
      {
        kind: "answered",
        outcome: { kind: "error", status: 503, message: "telegram asked to wait 7s", retryAfterSeconds: 7 },
        report: "cause",
      },
    ],
    ["for want of Redis before it began may come again", redisAway, {}, busy],
    ["for want of Redis as a read may always come again", redisAway, { facts: read, dispatched: true }, busy],
    ["for want of Redis once begun is unknown", redisAway, { begun: true }, withReply(500, "internal server error", "failure")],
    ["for want of Redis once dispatched is unknown", redisAway, { dispatched: true }, withReply(500, "internal server error", "failure")],
    ["for want of Redis once begun, late", redisAway, { begun: true, late: true }, withReply(500, "send timeout after 240s", "nothing")],
    ["late, tells the sentence of its row", timeout, { late: true }, withReply(500, "send timeout after 240s", "nothing")],
    ["late as a read", timeout, { facts: read, late: true }, withReply(500, "session not connected", "nothing")],
    [
      "late as a media read",
      timeout,
      { facts: media, late: true },
      {
        kind: "answered",
        outcome: { kind: "error", status: 503, message: "telegram did not answer the media request in time", retryAfterSeconds: 5 },
        report: "nothing",
      },
    ],
    ["because its session was closed under it", abort, {}, withReply(500, "send timeout after 240s", "nothing")],
    ["for no reason that anybody knows", new Error("oops"), {}, withReply(500, "internal server error", "failure")],
    ["with something that is no error", "oops", {}, withReply(500, "internal server error", "failure")],
  ])("%s", (_, error, circumstances, plan) => {
    expect(planFailure(error, { ...calm, ...circumstances })).toEqual(plan);
  });
});
