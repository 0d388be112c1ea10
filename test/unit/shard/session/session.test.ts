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
const heard = (): { context: TestContext; told: string[] } => {
  const told: string[] = [];
  const levels: Record<number, string> = { 30: "info", 40: "warn", 50: "error" };
  const log = pino({ level: "info" }, { write: (line: string) => void told.push(spoken(JSON.parse(line))) });
  const spoken = ({ level, msg }: { level: number; msg: string }): string => `${levels[level]}: ${msg}`;
  return { context: Object.assign(new TestContext(), { log }), told };
};

describe("connections", () => {
  it("follow each other after each end, and end with the session", async () => {
    const one = running([lost, { kind: "restart" }]);
    await eventually("the third connection", () => one.connector.connects === 3);
    await closed(one);
    expect(one.connector.steps).toEqual(["load", "connect", "connect", "connect", "finish"]);
    expect(one.ends).toEqual(["lost", "restart"]);
  });
  it("are tried again after errors of the connector, which loads until it has succeeded once", async () => {
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
  ])("that end in %o are followed by the next one", async (end, events) => {
    const one = running([end]);
    await one.context.connected();
    expect(one.context.history).toEqual(events);
    expect(one.connector.steps).toEqual(["load", "connect", ...(end.kind === "signed-out" ? ["forget"] : []), "connect"]);
    await closed(one);
  });
  it("tell operators how they ended, by how much it matters", async () => {
    const { context, told } = heard();
    const one = running([lost, { ...lost, fault: "banned" }, signedOut, { ...signedOut, fault: "used twice" }, { kind: "migrate" }], {
      context,
    });
    await context.connected();
    await closed(one);
    expect(told).toEqual([
      "warn: connection lost",
      "error: connection lost",
      "info: session logged out by the platform",
      "error: session logged out by the platform",
    ]);
  });
  it("wait as long as the platform says, and no longer than the session lives", async () => {
    const one = running([longLost]);
    await one.context.until(() => one.context.history.includes("connection-lost"));
    await closed(one);
    expect(one.connector.connects).toBe(1);
  });
  it("begin when the limiter lets them, give their place back after each, and can be told to start over in front of it", async () => {
    let inside = 0;
    let open = false;
    const limiter = {
      admit: async (_id: string, _who: unknown, signal: AbortSignal) => {
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
  it("do not come about when the session is over before it began", async () => {
    const one = running([]);
    await closed(one);
    expect(one.connector.connects).toBe(0);
  });
  it("end when ownership is lost midway, and nothing is told of that", async () => {
    const one = running([]);
    await one.context.connected();
    one.context.owned = false;
    const before = one.context.history.length;
    await closed(one);
    expect(one.context.history.length).toBe(before);
    expect(one.connector.steps.at(-1)).toBe("finish");
  });
  it("of a state that was stored as connected are lost until one stands", async () => {
    const context = new TestContext({ credentials: undefined, peers: new Map(), state: { kind: "connected", account } });
    const one = running([], { context });
    await context.connected();
    await eventually("a login", () => context.history.includes("logged-in"));
    expect(context.history).toEqual(["connection-lost", "logged-in"]);
    await closed(one);
  });
  it("that do not close in time are left, and the log says so", async () => {
    const { context, told } = heard();
    const one = running([], { context, timing: { closeMs: 20 } });
    await context.connected();
    Object.assign(one.connector, { finish: () => new Promise(() => undefined) });
    await one.session.close();
    expect(told).toEqual(["error: session did not close in time"]);
  });
});

describe("who waits for the first connect", () => {
  it("waits until it has an outcome that readers see", async () => {
    const one = running([lost]);
    await one.session.connectEnded;
    expect(one.context.state().kind).toBe("connected");
    await closed(one);
  });
  it("waits for a bounded time from its first turn on", async () => {
    const one = running([], { logsIn: false, timing: { connectWaitMs: 20 } });
    await one.session.connectEnded;
    expect(one.context.state()).toEqual(initialState);
    await closed(one);
  });
  it("is told when the session ends first", async () => {
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
      one.session.hurry();
      await one.session.connectEnded;
      return isConnected(one);
    });
    expect(one.connector.connects).toBe(losses + 1);
    await closed(one);
  });
  it("ends when another session says that an outage is over which began no later", async () => {
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
  it("is waited out where the platform asked for it", async () => {
    const one = paused([{ ...lost, waitMs: 3_600_000 }]);
    await eventually("the wait", () => one.session.isSentAway);
    one.session.hurry();
    await one.session.connectEnded.catch(() => undefined);
    expect([one.session.isSentAway, one.connector.connects]).toEqual([true, 1]);
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
  it("of many at once ends no connection that was made for another of them", async () => {
    const one = running([]);
    await one.context.connected();
    await Promise.all([one.session.reconnect(), one.session.reconnect(), one.session.reconnect()]);
    await eventually("the second connection", () => one.connector.connects === 2);
    await one.context.connected();
    await closed(one);
    expect(one.ends).toEqual(["reconnect"]);
  });
  it("of a session that has ended changes nothing", async () => {
    const one = running([]);
    await one.context.connected();
    await closed(one);
    const { length } = one.connector.steps;
    await one.session.reconnect();
    expect(one.connector.steps).toHaveLength(length);
  });
});

describe("another way", () => {
  const proxy = { kind: "socks5", host: "proxy.example.com", port: 1080, user: "", password: "" } as const;
  const gap = { backoffMinMs: 1, backoffMaxMs: 2, closeMs: 1_000 };

  it("is taken once the former connection has been over for a while", async () => {
    const one = running([], { timing: { ...gap, rerouteMs: 200 } });
    await one.context.connected();
    one.context.proxied = proxy;
    const leftAt = performance.now();
    await one.session.reroute();
    await one.context.until(({ kind }) => kind === "disconnected");
    await one.context.connected();
    expect(performance.now() - leftAt).toBeGreaterThanOrEqual(199);
    expect(one.context.history).toEqual(["logged-in", "connection-lost", "logged-in"]);
    await closed(one);
  });
  it("is not taken at once after a loss either, whoever changed it", async () => {
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
  it("lets what is running come to its end, and holds up what begins meanwhile until it is there again", async () => {
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
  it("waits no longer than that for what does not end", async () => {
    const one = running([], { timing: { ...gap, rerouteMs: 0, leaveMs: 50 } });
    await one.context.connected();
    void one.session.use(new Promise<void>(() => undefined));
    await one.session.reroute();
    await eventually("the second connection", () => one.connector.connects === 2);
    await closed(one);
  });
  it("that does not lead to the platform is told of while a login is at stake", async () => {
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
  it("of a session that another account logs in to has nobody to wait for", async () => {
    const one = running([], { timing: { ...gap, rerouteMs: 60_000 }, dropMs: 60_000 });
    await one.context.connected();
    one.context.proxied = proxy;
    one.connector.end(signedOut);
    await eventually("the second connection", () => one.context.history.filter((event) => event === "logged-in").length === 2);
    await closed(one);
  });
});

describe("what befalls a session", () => {
  it("is told in its own words, and not what is part of the plan", async () => {
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
  it("during a connect ends it", async () => {
    const one = running([], { logsIn: false });
    await eventually("a connect", () => one.connector.connects === 1);
    await one.session.reset();
    expect(one.context.history).toEqual(["reset"]);
    expect(one.ends).toEqual(["reset"]);
    await closed(one);
  });
  it("during the pause between two connections ends that", async () => {
    const one = running([longLost]);
    await one.context.until(() => one.context.history.includes("connection-lost"));
    await one.session.reset();
    await one.context.connected();
    await closed(one);
  });
  it("whose log-out makes the platform end the login is one new start, not two", async () => {
    const one = running([]);
    await one.context.connected();
    one.connector.onLogOut = async () => {
      one.connector.end(signedOut);
      await eventually("the end is taken in", () => one.ends.includes("signed-out"));
    };
    await one.session.reset();
    await one.context.connected();
    await closed(one);
    expect(one.context.history).toEqual(["logged-in", "reset", "logged-in"]);
    expect(one.connector.steps).toEqual(["load", "connect", "log out", "forget", "connect", "finish"]);
  });
  it("goes on when the log-out fails or does not end", async () => {
    for (const onLogOut of [() => Promise.reject(new Error("refused")), () => new Promise<void>(() => undefined)]) {
      const { context, told } = heard();
      const one = running([], { context, timing: { logOutMs: 20 } });
      await context.connected();
      one.connector.onLogOut = onLogOut;
      await one.session.reset();
      expect(context.history).toContain("reset");
      expect(told).toContain("info: device not removed on the platform");
      await closed(one);
    }
  });
  it("asked for twice at once is answered twice", async () => {
    const one = running([longLost]);
    await one.context.until(() => one.context.history.includes("connection-lost"));
    await Promise.all([one.session.reset(), one.session.reset()]);
    await closed(one);
  });
  it("is answered when the session ends instead", async () => {
    const one = running([]);
    await one.context.connected();
    one.connector.onLogOut = (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    const reset = one.session.reset();
    await closed(one);
    await reset;
    expect(one.context.history).not.toContain("reset");
  });
  it("is refused while what is stored does not open, and answered so when it came first", async () => {
    const broken = (): UnreadableRecord => new UnreadableRecord("credentials");
    const { context, told } = heard();
    const one = running([broken(), broken(), broken()], { context, timing: { backoffMinMs: 60_000, backoffMaxMs: 60_000 } });
    const early = one.session.reset();
    await expect(early).rejects.toMatchObject({ status: 500, message: "session not connected" });
    await expect(one.session.reset()).rejects.toMatchObject({ status: 500, message: "session not connected" });
    expect(one.connector.steps).not.toContain("forget");
    // The store has already logged it.
    expect(told).toEqual([]);
    await closed(one);
  });
});

describe("a deletion", () => {
  it("logs out, removes the record, tells who holds the session, and ends it", async () => {
    const one = running([]);
    await one.context.connected();
    await one.session.delete();
    await one.session.deleted;
    await one.ran;
    expect(one.context.history).toEqual(["logged-in", "deleted-by-owner"]);
    expect(one.connector.steps).toEqual(["load", "connect", "log out", "finish"]);
    expect(one.session.signal.aborted).toBe(true);
  });
  it("during a connect ends it", async () => {
    const one = running([], { logsIn: false });
    await eventually("a connect", () => one.connector.connects === 1);
    await one.session.delete();
    await one.ran;
    expect(one.context.state()).toEqual({ kind: "deleted", reason: "owner" });
  });
  it("whose log-out makes the platform end the login leaves no trace of a sign-out", async () => {
    const one = running([]);
    await one.context.connected();
    one.connector.onLogOut = async () => {
      one.connector.end(signedOut);
      await eventually("the end is taken in", () => one.ends.includes("signed-out"));
    };
    await one.session.delete();
    await one.ran;
    expect(one.context.history).toEqual(["logged-in", "deleted-by-owner"]);
    expect(one.connector.steps).not.toContain("forget");
  });
  it("that cannot be stored leaves the sign-out that it caused", async () => {
    const one = running([]);
    await one.context.connected();
    const dispatch = one.context.dispatch.bind(one.context);
    one.context.dispatch = (event) => (event.type === "deleted-by-owner" ? Promise.reject(new Error("redis is away")) : dispatch(event));
    one.connector.onLogOut = async () => {
      one.connector.end(signedOut);
      await eventually("the end is taken in", () => one.ends.includes("signed-out"));
    };
    await expect(one.session.delete()).rejects.toThrow("redis is away");
    await one.context.until(() => one.context.history.includes("logged-out"));
    expect(one.connector.steps).toContain("forget");
    await closed(one);
  });
  it("is for sessions too whose record does not open", async () => {
    const one = running([new UnreadableRecord("credentials")], { timing: { backoffMinMs: 60_000, backoffMaxMs: 60_000 } });
    await eventually("a load", () => one.connector.steps.length === 1);
    await one.session.delete();
    await one.ran;
    expect(one.context.state().kind).toBe("deleted");
  });
  it("by time ends the session too, without a log-out", async () => {
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
