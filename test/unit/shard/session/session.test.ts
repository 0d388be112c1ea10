import pino from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { initialState } from "../../../../shared/session/state.js";
import { ProxyFault } from "../../../../shard/egress/proxy-fault.js";
import { UnreadableRecord } from "../../../../shared/session/unreadable-record.js";
import type { ReportedEnd } from "../../../../shard/session/connection-end.js";
import { eventually } from "../../../harness/eventually.js";
import { TestContext } from "../../../platform/session-context.js";
import { account, running, type Scripted } from "./scripted-connector.js";

const lost: ReportedEnd = { kind: "lost", established: false, waitMs: 0, cause: new Error("closed") };
const longLost: ReportedEnd = { ...lost, waitMs: 60_000 };
const signedOut: ReportedEnd = { kind: "signed-out", cause: new Error("removed") };
const closed = async ({ session, ran }: Scripted): Promise<void> => {
  await session.close();
  await ran;
};
/** The lines of the log, as level and text. */
const captureLog = (): { context: TestContext; logLines: string[] } => {
  const logLines: string[] = [];
  const levels: Record<number, string> = { 30: "info", 40: "warn", 50: "error" };
  const log = pino({ level: "info" }, { write: (line: string) => void logLines.push(lineOf(JSON.parse(line))) });
  const lineOf = ({ level, msg }: { level: number; msg: string }): string => `${levels[level]}: ${msg}`;
  return { context: Object.assign(new TestContext(), { log }), logLines };
};

describe("a session's connections", () => {
  it("follow each other after each end, and end with the session", async () => {
    const one = running([lost, { kind: "restart" }]);
    await eventually("the third connection", () => one.connector.connects === 3);
    await closed(one);
    expect(one.connector.steps).toEqual(["load", "connect", "connect", "connect", "finish"]);
    expect(one.ends).toEqual(["lost", "restart"]);
  });
  it("are retried after errors of the connector, which loads until it has succeeded once", async () => {
    const one = running([new Error("store is away"), new Error("store is away again"), lost]);
    await eventually("the connection that stays", () => one.connector.connects === 2);
    await closed(one);
    expect(one.connector.steps).toEqual(["load", "load", "load", "connect", "connect", "finish"]);
  });
  it.each<[ReportedEnd, string[]]>([
    [lost, ["connection-lost", "logged-in"]],
    [{ kind: "restart" }, ["connection-lost", "logged-in"]],
    [{ kind: "codes-ended" }, ["connection-lost", "logged-in"]],
    [{ kind: "migrate" }, ["logged-in"]],
    [signedOut, ["logged-out", "logged-in"]],
  ])("are followed by the next one when they end in %o", async (end, events) => {
    const one = running([end]);
    await one.context.connected();
    expect(one.context.history).toEqual(events);
    expect(one.connector.steps).toEqual(["load", "connect", ...(end.kind === "signed-out" ? ["forget"] : []), "connect"]);
    await closed(one);
  });
  it("are logged with how they ended, at a level that fits", async () => {
    const { context, logLines } = captureLog();
    const one = running([lost, { ...lost, fault: "banned" }, signedOut, { ...signedOut, fault: "used twice" }, { kind: "migrate" }], {
      context,
    });
    await context.connected();
    await closed(one);
    expect(logLines).toEqual([
      "warn: connection lost",
      "error: connection lost",
      "info: session logged out by the platform",
      "error: session logged out by the platform",
    ]);
  });
  it("wait as long as the platform demands, but end with the session", async () => {
    const one = running([longLost]);
    await one.context.until(() => one.context.history.includes("connection-lost"));
    await closed(one);
    expect(one.connector.connects).toBe(1);
  });
  it("begin when the limiter admits them, release their place after each, and can be reset before admission", async () => {
    let inside = 0;
    let open = false;
    const limiter = {
      admit: async (_id: string, _request: unknown, signal: AbortSignal) => {
        inside += 1;
        await eventually("an open gate", () => open || signal.aborted);
      },
      done: () => void (inside = 0),
    };
    const one = running([lost], { limiter, logsIn: false });
    await eventually("a session in front of the gate", () => inside === 1);
    expect(one.connector.steps).toEqual(["load"]);
    await one.session.reset();
    expect(one.connector.steps).toEqual(["load", "log out", "forget"]);
    open = true;
    await eventually("the connection that stays", () => one.connector.connects === 2);
    expect(inside).toBe(1);
    await closed(one);
    expect(inside).toBe(0);
  });
  it("are not made when the session ends before it began", async () => {
    const one = running([]);
    await closed(one);
    expect(one.connector.connects).toBe(0);
  });
  it("end when ownership is lost midway, without an event", async () => {
    const one = running([]);
    await one.context.connected();
    one.context.owned = false;
    const before = one.context.history.length;
    await closed(one);
    expect(one.context.history.length).toBe(before);
    expect(one.connector.steps.at(-1)).toBe("finish");
  });
  it("count as lost after a load, even if the stored state is connected", async () => {
    const context = new TestContext({ credentials: undefined, peers: new Map(), state: { kind: "connected", account } });
    const one = running([], { context });
    await context.connected();
    await eventually("a login", () => context.history.includes("logged-in"));
    expect(context.history).toEqual(["connection-lost", "logged-in"]);
    await closed(one);
  });
  it("are abandoned and logged when they do not close in time", async () => {
    const { context, logLines } = captureLog();
    const one = running([], { context, timing: { closeMs: 20 } });
    await context.connected();
    Object.assign(one.connector, { finish: () => new Promise(() => undefined) });
    await one.session.close();
    expect(logLines).toEqual(["error: session did not close in time"]);
  });
});

describe("a wait for the first connect", () => {
  it("ends when readers can see its outcome", async () => {
    const one = running([lost]);
    await one.session.connectEnded;
    expect(one.context.state().kind).toBe("connected");
    await closed(one);
  });
  it("ends after a bounded time from the first admission", async () => {
    const one = running([], { logsIn: false, timing: { connectWaitMs: 20 } });
    await one.session.connectEnded;
    expect(one.context.state()).toEqual(initialState);
    await closed(one);
  });
  it("ends when the session ends first", async () => {
    const one = running([], { logsIn: false });
    await closed(one);
    await one.session.connectEnded;
  });
});

describe("a pause of an hour after many losses", () => {
  const losses = 23;
  /** Starts a session without pauses until the last loss, which gets the longest pause. */
  const paused = (script: ReportedEnd[] = Array.from({ length: losses }, () => lost), recovered: number[] = []): Scripted => {
    const one = running(script, {
      timing: { backoffMinMs: 1, backoffMaxMs: 3_600_000, closeMs: 1_000 },
      onRecovered: (since) => void recovered.push(since),
    });
    vi.spyOn(Math, "random").mockImplementation(() => (one.connector.connects < losses ? 0 : 1));
    return one;
  };
  const isConnected = ({ session }: Scripted): boolean => session.state().kind === "connected";
  afterEach(() => void vi.restoreAllMocks());

  it("ends when a command waits for the session, and the command waits for the connect", async () => {
    const one = paused();
    await eventually("the last loss", () => one.connector.connects === losses);
    await eventually("a connection", async () => {
      one.session.retryNow();
      await one.session.connectEnded;
      return isConnected(one);
    });
    expect(one.connector.connects).toBe(losses + 1);
    await closed(one);
  });
  it("ends when another session reports the end of an outage that began no later", async () => {
    const recovered: number[] = [];
    const one = paused(undefined, recovered);
    await eventually("the last loss", () => one.connector.connects === losses);
    one.session.outageIsOver(performance.now());
    await eventually("a connection", () => {
      one.session.outageIsOver(0);
      return isConnected(one);
    });
    expect(one.connector.connects).toBe(losses + 1);
    expect(recovered).toHaveLength(1);
    await closed(one);
  });
  it("is kept if the platform demanded it", async () => {
    const one = paused([{ ...lost, waitMs: 3_600_000 }]);
    await eventually("the wait", () => one.session.isWaitingForPlatform);
    one.session.retryNow();
    await one.session.connectEnded.catch(() => undefined);
    expect([one.session.isWaitingForPlatform, one.connector.connects]).toEqual([true, 1]);
    await closed(one);
  });
});

describe("a reconnect", () => {
  it("ends the connection and makes another one, with the same login", async () => {
    const one = running([]);
    await one.context.connected();
    await one.session.reconnect();
    await eventually("the second connection", () => one.connector.connects === 2);
    await one.context.connected();
    expect(one.context.history).toEqual(["logged-in", "connection-lost", "logged-in"]);
    expect(one.ends).toEqual(["reconnect"]);
    await closed(one);
    expect(one.connector.steps).toEqual(["load", "connect", "connect", "finish"]);
  });
  it("does not wait for the pause after a loss", async () => {
    const one = running([longLost]);
    await eventually("the loss", () => one.ends.length === 1);
    await one.session.reconnect();
    await one.context.connected();
    await closed(one);
    expect(one.ends).toEqual(["lost"]);
  });
  it("ends one connection only when several are requested at once", async () => {
    const one = running([]);
    await one.context.connected();
    await Promise.all([one.session.reconnect(), one.session.reconnect(), one.session.reconnect()]);
    await eventually("the second connection", () => one.connector.connects === 2);
    await one.context.connected();
    await closed(one);
    expect(one.ends).toEqual(["reconnect"]);
  });
  it("changes nothing after the session has ended", async () => {
    const one = running([]);
    await one.context.connected();
    await closed(one);
    const { length } = one.connector.steps;
    await one.session.reconnect();
    expect(one.connector.steps).toHaveLength(length);
  });
});

describe("a reroute", () => {
  const proxy = { kind: "socks5", host: "proxy.example.com", port: 1080, user: "", password: "" } as const;
  const gap = { backoffMinMs: 1, backoffMaxMs: 2, closeMs: 1_000 };

  it("connects once the former connection has been over for a while", async () => {
    const one = running([], { timing: { ...gap, rerouteMs: 200 } });
    await one.context.connected();
    one.context.proxied = proxy;
    const rerouteAt = performance.now();
    await one.session.reroute();
    await one.context.until(({ kind }) => kind === "disconnected");
    await one.context.connected();
    expect(performance.now() - rerouteAt).toBeGreaterThanOrEqual(199);
    expect(one.context.history).toEqual(["logged-in", "connection-lost", "logged-in"]);
    await closed(one);
  });
  it("waits after a loss too, whoever changed the proxy", async () => {
    const one = running([], { timing: { ...gap, rerouteMs: 0 }, dropMs: 60_000 });
    await one.context.connected();
    one.context.proxied = proxy;
    one.connector.end(lost);
    await eventually("the next try", () => one.connector.connects === 2);
    // The session goes back to its former route.
    one.context.proxied = undefined;
    await one.session.reconnect();
    await one.context.connected();
    await closed(one);
  });
  it("lets running commands end, and makes new commands wait for the next connection", async () => {
    const one = running([], { timing: { ...gap, rerouteMs: 0 } });
    await one.context.connected();
    let end = (): void => undefined;
    const used = one.session.use(new Promise<void>((resolve) => (end = resolve)));
    const before = one.session.plannedEnds;
    const rerouted = one.session.reroute();
    expect([one.session.isLeaving, one.session.plannedEnds > before]).toEqual([true, true]);
    let isOver = false;
    const over = one.session.connectEnded.then(() => (isOver = true));
    await one.context.dispatch({ type: "account-changed", account: { ...account, name: "Anna" } });
    expect([one.ends, isOver]).toEqual([[], false]);
    end();
    await Promise.all([used, rerouted, over]);
    expect([one.ends, one.session.isLeaving, one.context.state().kind]).toEqual([["reconnect"], false, "connected"]);
    await closed(one);
  });
  it("waits a bounded time for running commands", async () => {
    const one = running([], { timing: { ...gap, rerouteMs: 0, leaveMs: 50 } });
    await one.context.connected();
    void one.session.use(new Promise<void>(() => undefined));
    await one.session.reroute();
    await eventually("the second connection", () => one.connector.connects === 2);
    await closed(one);
  });
  it("marks a logged-in session as proxyless while its proxy fails", async () => {
    const dead: ReportedEnd = { ...lost, cause: new ProxyFault("unreachable"), waitMs: 60_000 };
    const one = running([dead]);
    await eventually("the first connection", () => one.ends.length === 1);
    expect([one.context.state().kind, one.session.isProxyless]).toEqual(["awaiting-qr", false]);
    await one.session.reconnect();
    await one.context.connected();
    expect(one.session.isProxyless).toBe(false);
    one.connector.end(dead);
    await one.context.until(({ kind }) => kind === "disconnected");
    expect(one.session.isProxyless).toBe(true);
    await one.session.reconnect();
    await one.context.connected();
    expect(one.session.isProxyless).toBe(false);
    await closed(one);
  });
  it("does not wait when another account logs in", async () => {
    const one = running([], { timing: { ...gap, rerouteMs: 60_000 }, dropMs: 60_000 });
    await one.context.connected();
    one.context.proxied = proxy;
    one.connector.end(signedOut);
    await eventually("the second connection", () => one.context.history.filter((event) => event === "logged-in").length === 2);
    await closed(one);
  });
});

describe("an error of a session", () => {
  it("is recorded for operators, unless it is a planned end", async () => {
    const one = running([lost, { kind: "restart" }, signedOut, new Error("store is away")]);
    await eventually("the connection that stays", () => one.connector.connects === 5);
    await closed(one);
    expect(one.context.failures).toEqual(["connection lost", "login was ended by the platform", "session interrupted, retrying"]);
  });
});

describe("a reset", () => {
  it("logs out, forgets the account and starts over", async () => {
    const one = running([]);
    await one.context.connected();
    await one.session.reset();
    expect(one.connector.steps.slice(0, 4)).toEqual(["load", "connect", "log out", "forget"]);
    expect(one.context.history.slice(0, 2)).toEqual(["logged-in", "reset"]);
    expect(one.ends).toEqual(["reset"]);
    await one.context.connected();
    expect(one.context.history).toEqual(["logged-in", "reset", "logged-in"]);
    await closed(one);
  });
  it("ends a connect in progress", async () => {
    const one = running([], { logsIn: false });
    await eventually("a connect", () => one.connector.connects === 1);
    await one.session.reset();
    expect(one.context.history).toEqual(["reset"]);
    expect(one.ends).toEqual(["reset"]);
    await closed(one);
  });
  it("ends the pause between two connections", async () => {
    const one = running([longLost]);
    await one.context.until(() => one.context.history.includes("connection-lost"));
    await one.session.reset();
    await one.context.connected();
    await closed(one);
  });
  it("starts over once even if its log-out makes the platform end the login", async () => {
    const one = running([]);
    await one.context.connected();
    one.connector.onLogOut = async () => {
      one.connector.end(signedOut);
      await eventually("the end is handled", () => one.ends.includes("signed-out"));
    };
    await one.session.reset();
    await one.context.connected();
    await closed(one);
    expect(one.context.history).toEqual(["logged-in", "reset", "logged-in"]);
    expect(one.connector.steps).toEqual(["load", "connect", "log out", "forget", "connect", "finish"]);
  });
  it("goes on when the log-out fails or does not end", async () => {
    for (const onLogOut of [() => Promise.reject(new Error("refused")), () => new Promise<void>(() => undefined)]) {
      const { context, logLines } = captureLog();
      const one = running([], { context, timing: { logOutMs: 20 } });
      await context.connected();
      one.connector.onLogOut = onLogOut;
      await one.session.reset();
      expect(context.history).toContain("reset");
      expect(logLines).toContain("info: device not removed on the platform");
      await closed(one);
    }
  });
  it("resolves for both callers when requested twice at once", async () => {
    const one = running([longLost]);
    await one.context.until(() => one.context.history.includes("connection-lost"));
    await Promise.all([one.session.reset(), one.session.reset()]);
    await closed(one);
  });
  it("resolves when the session ends instead", async () => {
    const one = running([]);
    await one.context.connected();
    one.connector.onLogOut = (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    const reset = one.session.reset();
    await closed(one);
    await reset;
    expect(one.context.history).not.toContain("reset");
  });
  it("is rejected while the stored login does not open, even if it was requested before the load", async () => {
    const broken = (): UnreadableRecord => new UnreadableRecord("credentials");
    const { context, logLines } = captureLog();
    const one = running([broken(), broken(), broken()], { context, timing: { backoffMinMs: 60_000, backoffMaxMs: 60_000 } });
    const early = one.session.reset();
    await expect(early).rejects.toMatchObject({ status: 500, message: "session not connected" });
    await expect(one.session.reset()).rejects.toMatchObject({ status: 500, message: "session not connected" });
    expect(one.connector.steps).not.toContain("forget");
    // The store has already logged it.
    expect(logLines).toEqual([]);
    await closed(one);
  });
});

describe("a deletion", () => {
  it("logs out, removes the record, notifies the holder, and ends the session", async () => {
    const one = running([]);
    await one.context.connected();
    await one.session.delete();
    await one.session.deleted;
    await one.ran;
    expect(one.context.history).toEqual(["logged-in", "deleted-by-owner"]);
    expect(one.connector.steps).toEqual(["load", "connect", "log out", "finish"]);
    expect([one.session.signal.aborted, one.session.ending.aborted]).toEqual([true, true]);
  });
  it("ends a connect in progress", async () => {
    const one = running([], { logsIn: false });
    await eventually("a connect", () => one.connector.connects === 1);
    await one.session.delete();
    await one.ran;
    expect(one.context.state()).toEqual({ kind: "deleted", reason: "owner" });
  });
  it("records no sign-out if its log-out makes the platform end the login", async () => {
    const one = running([]);
    await one.context.connected();
    one.connector.onLogOut = async () => {
      one.connector.end(signedOut);
      await eventually("the end is handled", () => one.ends.includes("signed-out"));
    };
    await one.session.delete();
    await one.ran;
    expect(one.context.history).toEqual(["logged-in", "deleted-by-owner"]);
    expect(one.connector.steps).not.toContain("forget");
  });
  it("keeps the sign-out that it caused if it cannot be stored", async () => {
    const one = running([]);
    await one.context.connected();
    const dispatch = one.context.dispatch.bind(one.context);
    one.context.dispatch = (event) => (event.type === "deleted-by-owner" ? Promise.reject(new Error("redis is away")) : dispatch(event));
    one.connector.onLogOut = async () => {
      one.connector.end(signedOut);
      await eventually("the end is handled", () => one.ends.includes("signed-out"));
    };
    await expect(one.session.delete()).rejects.toThrow("redis is away");
    await one.context.until(() => one.context.history.includes("logged-out"));
    expect(one.connector.steps).toContain("forget");
    await closed(one);
  });
  it("works for a session whose record does not open", async () => {
    const one = running([new UnreadableRecord("credentials")], { timing: { backoffMinMs: 60_000, backoffMaxMs: 60_000 } });
    await eventually("a load", () => one.connector.steps.length === 1);
    await one.session.delete();
    await one.ran;
    expect(one.context.state().kind).toBe("deleted");
  });
  it("ends the session without a log-out if a timer deletes it", async () => {
    const one = running([], { logsIn: false });
    await eventually("a connect", () => one.connector.connects === 1);
    await one.session.elapse(60_000);
    expect(one.session.signal.aborted).toBe(false);
    await one.session.elapse(120_000);
    await one.session.deleted;
    await one.ran;
    expect(one.connector.steps).toEqual(["load", "connect", "finish"]);
    expect(one.context.state()).toEqual({ kind: "deleted", reason: "qr-expired" });
  });
});
