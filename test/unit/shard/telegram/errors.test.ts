import { Api } from "telegram";
import { RPCMessageToError } from "telegram/errors/index.js";
import { describe, expect, test } from "vitest";
import { groupNotFound } from "../../../../shared/contract/telegram/errors.js";
import { endOf } from "../../../../shard/telegram/connection-end.js";
import { isSignedOut, toApiError } from "../../../../shard/telegram/errors.js";
import { CallTimeout, ConnectionLost, DataCentreRefused } from "../../../../shard/telegram/network/connection-error.js";

const rpc = (errorCode: number, errorMessage: string, request: Api.AnyRequest = new Api.channels.GetParticipants({})): Error =>
  RPCMessageToError(new Api.RpcError({ errorCode, errorMessage }), request);

describe("toApiError", () => {
  test.each([
    [400, "CHAT_ADMIN_REQUIRED", "400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)"],
    [420, "FLOOD_WAIT_75", "A wait of 75 seconds is required (caused by channels.GetParticipants)"],
    [420, "SLOWMODE_WAIT_30", "420: SLOWMODE_WAIT_30 (caused by channels.GetParticipants)"],
    [420, "FLOOD_TEST_PHONE_WAIT_75", "A wait of 75 seconds is required (caused by channels.GetParticipants)"],
    [303, "PHONE_MIGRATE_2", "303: PHONE_MIGRATE_2 (caused by channels.GetParticipants)"],
    [303, "USER_MIGRATE_3", "303: USER_MIGRATE_3 (caused by channels.GetParticipants)"],
    [303, "NETWORK_MIGRATE_4", "303: NETWORK_MIGRATE_4 (caused by channels.GetParticipants)"],
    [303, "FILE_MIGRATE_5", "303: FILE_MIGRATE_5 (caused by channels.GetParticipants)"],
    [400, "EMAIL_UNCONFIRMED_6", "400: EMAIL_UNCONFIRMED_6 (caused by channels.GetParticipants)"],
    [400, "MSG_WAIT_FAILED", "400: MSG_WAIT_FAILED (caused by channels.GetParticipants)"],
    [-503, "MSG_WAIT_TIMEOUT", "-503: MSG_WAIT_TIMEOUT (caused by channels.GetParticipants)"],
    [400, "STORIES_TOO_MUCH", "400: STORIES_TOO_MUCH (caused by channels.GetParticipants)"],
    [406, "PRIVACY_PREMIUM_REQUIRED", "406: PRIVACY_PREMIUM_REQUIRED (caused by channels.GetParticipants)"],
  ])("passes on %i %s", (code, name, message) => {
    expect(toApiError(rpc(code, name))).toMatchObject({ status: 500, message });
  });

  test.each([
    ["a lost connection", new ConnectionLost("lost")],
    ["silence", new CallTimeout("messages.GetDialogs", 1000)],
    ["another data centre's refusal", new DataCentreRefused(2, new Error("x"))],
    ["a removed device", rpc(401, "SESSION_REVOKED")],
    ["two owners", rpc(406, "AUTH_KEY_DUPLICATED")],
  ])("reports %s as not connected", (_what, error) => {
    expect(toApiError(error)).toMatchObject({ status: 500, message: "session not connected" });
  });

  test("leaves alone what it does not know", () => {
    const [ours, unknown] = [groupNotFound(), new Error("x")];
    expect(toApiError(ours)).toBe(ours);
    expect(toApiError(unknown)).toBe(unknown);
  });
});

test.each([
  [401, "AUTH_KEY_UNREGISTERED", true],
  [401, "USER_DEACTIVATED_BAN", true],
  [401, "SESSION_PASSWORD_NEEDED", false],
  [406, "AUTH_KEY_DUPLICATED", true],
  [406, "PRIVACY_PREMIUM_REQUIRED", false],
  [400, "SESSION_REVOKED", false],
])("isSignedOut of %i %s is %s", (code, name, expected) => {
  expect(isSignedOut(rpc(code, name))).toBe(expected);
});

describe("endOf", () => {
  const after = { established: true, hadLogin: true };
  test("a refused or unknown key signs out, but only where there was a login", () => {
    for (const error of [
      rpc(401, "SESSION_REVOKED"),
      new ConnectionLost("lost", rpc(401, "AUTH_KEY_UNREGISTERED")),
      new ConnectionLost("key-unknown"),
    ]) {
      expect(endOf(error, after)).toMatchObject({ kind: "signed-out" });
      expect(endOf(error, { ...after, hadLogin: false })).toMatchObject({ kind: "lost" });
    }
  });

  test("a wait that the platform demands holds back the next attempt", () => {
    expect(endOf(rpc(420, "FLOOD_WAIT_30"), after)).toMatchObject({ kind: "lost", waitMs: 30_000 });
    expect(endOf(new Error("x"), after)).toMatchObject({ kind: "lost", waitMs: 0 });
  });

  test("alerts operators to two owners, and to nothing else", () => {
    expect(endOf(rpc(406, "AUTH_KEY_DUPLICATED"), after)).toMatchObject({ kind: "signed-out", fault: "login was used from two places" });
    expect(endOf(rpc(401, "SESSION_REVOKED"), after)).not.toHaveProperty("fault");
  });
});
