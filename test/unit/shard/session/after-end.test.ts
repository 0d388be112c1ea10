import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../shared/log/logger.js";
import { Backoff } from "../../../../shard/flow/backoff.js";
import type { ConnectionEnd } from "../../../../shard/session/connection-end.js";
import { ProxyFault } from "../../../../shard/egress/proxy-fault.js";
import { afterEnd, faultOf, report, type AfterEnd } from "../../../../shard/session/after-end.js";

const none = new Backoff({ backoffMinMs: 0, backoffMaxMs: 0 });
const lost = { kind: "lost", established: false, waitMs: 0, cause: undefined } as const;

describe("the log entry of an end", () => {
  const linesOf = (end: ConnectionEnd): unknown[][] => {
    const lines: unknown[][] = [];
    const at =
      (level: string) =>
      (...line: unknown[]): void =>
        void lines.push([level, ...line]);
    report(end, { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), child: () => silentLog });
    return lines;
  };

  it("is a warning without a stack if a tenant's proxy is at fault", () => {
    const cause = new ProxyFault("unreachable", "ECONNREFUSED");
    for (const kind of ["lost", "signed-out"] as const)
      expect(linesOf({ ...lost, kind, cause, fault: cause.message })).toEqual([
        ["warn", { fault: "unreachable", code: "ECONNREFUSED" }, "proxy connection failed"],
      ]);
    expect(linesOf({ ...lost, cause: new ProxyFault("silent"), fault: "x" })).toEqual([
      ["warn", { fault: "silent" }, "proxy connection failed"],
    ]);
  });
  it("is an error if an operator must act", () => {
    const cause = new Error("API_ID_INVALID");
    const fault = "the platform does not take TELEGRAM_API_ID";
    expect(linesOf({ ...lost, cause, fault })).toEqual([["error", { err: cause, fault }, "connection lost"]]);
  });
});

describe("afterEnd", () => {
  it.each<[ConnectionEnd, AfterEnd]>([
    [lost, { signedOut: false, lost: true, waitMs: 0 }],
    [{ kind: "restart" }, { signedOut: false, lost: true, waitMs: 0 }],
    [{ kind: "codes-ended" }, { signedOut: false, lost: true, waitMs: 0 }],
    [{ kind: "migrate" }, { signedOut: false, lost: false, waitMs: 0 }],
    [{ kind: "reset" }, { signedOut: false, lost: false, waitMs: 0 }],
    [{ kind: "reconnect" }, { signedOut: false, lost: true, waitMs: 0 }],
    [
      { kind: "signed-out", cause: undefined },
      { signedOut: true, lost: false, waitMs: 0 },
    ],
  ])("%o", (end, expected) => {
    expect(afterEnd(end, none, 1)).toEqual(expected);
  });
  it("waits at least as long as the platform demanded, and spreads the sessions", () => {
    const waits = Array.from({ length: 200 }, () => afterEnd({ ...lost, waitMs: 600_000 }, none, 0).waitMs);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(600_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(660_000);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(30_000);
  });
  it("counts failures in a row, and starts again after an established connection", () => {
    const bounds: boolean[] = [];
    class Counted extends Backoff {
      override afterFailure(first = false): number {
        bounds.push(first);
        return super.afterFailure(first);
      }
    }
    const backoff = new Counted({ backoffMinMs: 0, backoffMaxMs: 0 });
    afterEnd(lost, backoff, 0);
    afterEnd({ ...lost, established: true }, backoff, 0);
    afterEnd({ kind: "restart" }, backoff, 9);
    expect(bounds).toEqual([false, true]);
  });
  it("restarts without a pause three times in a row, then ever more slowly", () => {
    const slow = { pauseMs: (failures: number) => failures * 1_000 } as Backoff;
    expect([1, 2, 3, 4, 5].map((restarts) => afterEnd({ kind: "restart" }, slow, restarts).waitMs)).toEqual([0, 0, 0, 1_000, 2_000]);
  });
});

describe("faultOf", () => {
  const failed = (change: object): Error => Object.assign(new Error("to +1 555 0100 at 10.0.0.7"), change);

  it.each<[string, ConnectionEnd, string | undefined]>([
    ["a loss", lost, "connection lost"],
    ["a loss with the system's code", { ...lost, cause: failed({ code: "ECONNRESET" }) }, "connection lost (ECONNRESET)"],
    ["a number for a code, which says nothing", { ...lost, cause: failed({ code: 515 }) }, "connection lost"],
    ["a text for a code, which may say anything", { ...lost, cause: failed({ code: "call +1 555 0100" }) }, "connection lost"],
    [
      "a sign-out with the platform's name for it",
      { kind: "signed-out", cause: failed({ code: 401, errorMessage: "AUTH_KEY_UNREGISTERED" }) },
      "login was ended by the platform (AUTH_KEY_UNREGISTERED)",
    ],
    ["a fault's own text", { ...lost, fault: "login was used from two places" }, "login was used from two places"],
    ["a planned end", { kind: "restart" }, undefined],
    ["a reconnect by an operator", { kind: "reconnect" }, undefined],
    ["a reset by the owner", { kind: "reset" }, undefined],
  ])("%s", (_, end, fault) => {
    expect(faultOf(end)).toBe(fault);
  });
});
