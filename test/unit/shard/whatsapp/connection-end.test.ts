import { describe, expect, it } from "vitest";
import { endOf, isVersionRefused } from "../../../../shard/whatsapp/connection-end.js";
import { CodesEnded, ConnectionLost } from "../../../../shard/whatsapp/network/connection-error.js";

const closed = (statusCode: number, message = "closed", data?: unknown): ConnectionLost =>
  new ConnectionLost(statusCode, Object.assign(new Error(message), { isBoom: true, output: { statusCode }, data }));
const loggedIn = { established: false, hadLogin: true };

describe("endOf", () => {
  it.each([
    [515, "restart"],
    [401, "signed-out"],
    [403, "signed-out"],
    [406, "signed-out"],
    [411, "signed-out"],
    [402, "lost"],
    [405, "lost"],
    [408, "lost"],
    [428, "lost"],
    [440, "lost"],
    [500, "lost"],
    [503, "lost"],
  ])("reads close code %i as %s", (code, kind) => {
    expect(endOf(closed(code), loggedIn).kind).toBe(kind);
  });
  it("distinguishes used-up QR codes from a lost connection", () => {
    expect(endOf(new ConnectionLost(undefined, new CodesEnded()), { established: false, hadLogin: false }).kind).toBe("codes-ended");
    expect(endOf(closed(408, "Connection was lost"), { established: false, hadLogin: false }).kind).toBe("lost");
  });
  it("distinguishes a refused version from other ends", () => {
    expect([405, 403, 503].map((code) => isVersionRefused(closed(code)))).toEqual([true, false, false]);
    expect(isVersionRefused(new Error("405"))).toBe(false);
  });
  it("cannot sign out a device that was never in", () => {
    expect(endOf(closed(401), { established: false, hadLogin: false }).kind).toBe("lost");
  });
  it("waits out a ban for as long as the platform says, and long for a refused version", () => {
    expect(endOf(closed(402, "closed", { expire: "90" }), loggedIn)).toMatchObject({ kind: "lost", waitMs: 90_000 });
    expect(endOf(closed(405), loggedIn)).toMatchObject({ waitMs: 600_000 });
    expect(endOf(closed(405), { ...loggedIn, hasNewer: true })).toMatchObject({ waitMs: 0 });
    expect(endOf(closed(503), loggedIn)).toMatchObject({ waitMs: 0 });
  });
  it("alerts operators to permanent faults, and to nothing else", () => {
    expect(endOf(closed(440), loggedIn)).toMatchObject({ fault: "login was used from two places" });
    expect(endOf(closed(405), loggedIn)).toMatchObject({ fault: "the platform takes this version of the client no longer" });
    expect(endOf(closed(402), loggedIn)).toMatchObject({ fault: "the account is banned for a while" });
    expect(endOf(closed(503), loggedIn)).not.toHaveProperty("fault");
    expect(endOf(closed(400), loggedIn)).not.toHaveProperty("fault");
  });
  it.each([
    [400, "noise certificate signature invalid", "the server's certificate is forged"],
    [400, "noise intermediate certificate signature invalid", "the server's certificate is not the platform's"],
    [500, "the server's certificate is another server's", "the server's certificate is another server's"],
    [500, "Invalid account signature", "the link is not of the phone that took the code"],
    [500, "Failed to verify account signature", "the link is not signed by the account"],
  ])("keeps the login and alerts operators to a forgery: %i %s", (code, words, fault) => {
    expect(endOf(closed(code, words), loggedIn)).toMatchObject({ kind: "lost", fault });
  });
});
