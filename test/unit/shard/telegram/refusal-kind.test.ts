import { Api } from "telegram";
import { RPCMessageToError } from "telegram/errors/index.js";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../shared/contract/api-error.js";
import { endOf } from "../../../../shard/telegram/connection-end.js";
import { toApiError } from "../../../../shard/telegram/errors.js";
import { ConnectionLost } from "../../../../shard/telegram/network/connection-error.js";
import { refusalOf } from "../../../../shard/telegram/refusal-kind.js";

const rpc = (errorCode: number, errorMessage: string): Error =>
  RPCMessageToError(new Api.RpcError({ errorCode, errorMessage }), new Api.updates.GetState());

describe("refusalOf", () => {
  it.each([
    [420, "FLOOD_WAIT_90", "flood"],
    [420, "FLOOD_PREMIUM_WAIT_5", "flood"],
    [420, "FLOOD_TEST_PHONE_WAIT_5", "flood"],
    [420, "SLOWMODE_WAIT_70", "slow-mode"],
    [400, "PEER_FLOOD", "restricted"],
    [400, "PHONE_PASSWORD_FLOOD", "flood"],
    [400, "USER_RESTRICTED", "restricted"],
    [400, "STORIES_TOO_MUCH", "limit"],
    [400, "STORY_SEND_FLOOD_WEEKLY_86400", "limit"],
    [401, "USER_DEACTIVATED_BAN", "banned"],
    [400, "CONNECTION_LAYER_INVALID", "outdated"],
    [406, "UPDATE_APP_TO_LOGIN", "outdated"],
    [403, "CHAT_WRITE_FORBIDDEN", "forbidden"],
    [406, "PRIVACY_PREMIUM_REQUIRED", "not-accepted"],
    [400, "MESSAGE_TOO_LONG", "bad-request"],
    [404, "METHOD_NOT_FOUND", "not-found"],
    [500, "INTERDC_X_CALL_ERROR", "unavailable"],
    [-503, "Timeout", "unavailable"],
    [303, "SOMETHING_NEW", "other"],
  ])("classifies %i %s as %s, as in the caller's error", (code, name, kind) => {
    expect(refusalOf(rpc(code, name))).toBe(kind);
    expect(refusalOf(toApiError(rpc(code, name)))).toBe(toApiError(rpc(code, name)) instanceof ApiError ? kind : undefined);
  });
  it.each([new ConnectionLost("lost"), new Error("PEER_FLOOD"), new ApiError(404, "session not found"), undefined])(
    "%s is none",
    (error) => {
      expect(refusalOf(error)).toBeUndefined();
    },
  );
});

describe("a connection that is refused", () => {
  const loggedIn = { established: false, hadLogin: true };
  it.each([
    ["CONNECTION_LAYER_INVALID", 400, "the platform takes the layer of this client no longer"],
    ["UPDATE_APP_TO_LOGIN", 406, "the platform takes the layer of this client no longer"],
    ["API_ID_INVALID", 400, "the platform does not take TELEGRAM_API_ID"],
    ["API_ID_PUBLISHED_FLOOD", 400, "the platform does not take TELEGRAM_API_ID"],
  ])("for %s keeps its login, and is left alone for ten minutes", (name, code, fault) => {
    for (const hadLogin of [true, false])
      expect(endOf(rpc(code, name), { established: false, hadLogin })).toMatchObject({ kind: "lost", waitMs: 600_000, fault });
  });
  it("by a flood wait waits as long as that says", () => {
    expect(endOf(rpc(420, "FLOOD_WAIT_300"), loggedIn)).toMatchObject({ kind: "lost", waitMs: 300_000, refusal: "flood" });
  });
  it("with a key that is gone is signed out, which is no refusal", () => {
    expect(endOf(rpc(401, "AUTH_KEY_UNREGISTERED"), loggedIn)).not.toHaveProperty("refusal");
    expect(endOf(rpc(401, "USER_DEACTIVATED_BAN"), loggedIn)).toMatchObject({ kind: "signed-out", refusal: "banned" });
  });
});
