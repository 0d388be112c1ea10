import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../shared/contract/api-error.js";
import { toApiError } from "../../../../shard/whatsapp/errors.js";
import { ConnectionLost, MessageRefused, QueryTimeout } from "../../../../shard/whatsapp/network/connection-error.js";
import { refusalOf, refusedConnection } from "../../../../shard/whatsapp/refusal-kind.js";

const responseError = (data: number): Error =>
  Object.assign(new Error("rate-overlimit"), { isBoom: true, output: { statusCode: 500 }, data });

describe("refusalOf", () => {
  it.each([
    ["400", "bad-request"],
    ["401", "unauthorized"],
    ["403", "forbidden"],
    ["404", "not-found"],
    ["405", "not-allowed"],
    ["406", "not-accepted"],
    ["409", "conflict"],
    ["410", "not-found"],
    ["419", "limit"],
    ["420", "flood"],
    ["429", "flood"],
    ["463", "restricted"],
    ["479", "bad-request"],
    ["500", "unavailable"],
    ["503", "unavailable"],
    ["477", "other"],
    ["word", "other"],
  ])("classifies %s as %s, in an ack and in a response, as in the caller's error", (code, kind) => {
    const refused = new MessageRefused(code);
    expect(refusalOf(refused)).toBe(kind);
    expect(refusalOf(toApiError(refused))).toBe(kind);
    if (Number.isInteger(Number(code))) expect(refusalOf(toApiError(responseError(Number(code))))).toBe(kind);
  });
  it.each([
    new ConnectionLost(428),
    new QueryTimeout(),
    toApiError(new ConnectionLost(405)),
    new ApiError(400, "groupId should not be empty"),
    new Error("500"),
    undefined,
  ])("%s is none", (error) => {
    expect(refusalOf(error)).toBeUndefined();
  });
});

it.each([
  [402, "banned"],
  [403, "banned"],
  [405, "outdated"],
  [406, "banned"],
  [429, "flood"],
  [503, "unavailable"],
  [401, undefined],
  [408, undefined],
  [428, undefined],
  [440, undefined],
  [515, undefined],
  [undefined, undefined],
])("close code %s is %s", (code, kind) => {
  expect(refusedConnection(code)).toBe(kind);
});
