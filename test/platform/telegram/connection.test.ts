import { queryObjects } from "node:v8";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { defaultClusterTiming } from "../../../shared/cluster/cluster-timing.js";
import { AbortScope, untilAborted } from "../../../shared/flow/abort-scope.js";
import type { Ending } from "../../../shared/flow/ending.js";
import { Client } from "../../../shard/telegram/client.js";
import { Sender } from "../../../shard/telegram/network/sender.js";
import { defaultTiming } from "../../../shard/telegram/timing.js";
import { testEgress } from "../../harness/egress.js";
import { eventually } from "../../harness/eventually.js";
import { HalfOpenRelay } from "../../harness/half-open-relay.js";
import { TelegramFixture } from "./fixture.js";

let fixture: TelegramFixture;
beforeAll(async () => void (fixture = await TelegramFixture.start({ pingMinMs: 300, pingMaxMs: 500, pongMs: 3_000 })));
afterEach(() => fixture.closeSessions());
afterAll(() => fixture.stop());

test("reconnects after a drop, and refuses commands meanwhile", async () => {
  const { session, context } = await fixture.login("alice");
  await fixture.fault({ kind: "refuse", seconds: 600 });
  await fixture.fault({ kind: "drop", account: "alice" });
  await context.until((state) => state.kind === "disconnected");
  await expect(fixture.run(session, "list-channels", {})).rejects.toMatchObject({ status: 500, message: "session not connected" });
  fixture.sandbox.telegram.control.clearFaults();
  await context.connected();
  expect((await fixture.run(session, "list-channels", {})).docs.length).toBeGreaterThan(0);
});

test("a call in flight ends with the connection", async () => {
  const { session } = await fixture.login("bob");
  await fixture.fault({ kind: "drop", account: "bob", method: "messages.getDialogs" });
  await expect(fixture.run(session, "list-channels", {})).rejects.toMatchObject({ status: 500, message: "session not connected" });
});

test("a server that falls silent is noticed by an unanswered ping", async () => {
  const { context } = await fixture.login("frank");
  for (const connection of fixture.sandbox.telegram.world.devices.connections) connection.push = () => undefined;
  await fixture.fault({ kind: "stall", method: "updates.getState", account: "frank", times: 1 });
  await context.until((state) => state.kind === "disconnected");
  await context.connected();
});

test("a connection that a firewall has forgotten is found by a ping, and replaced by one that passes", async () => {
  const relays: HalfOpenRelay[] = [];
  const through = async (port: number): Promise<number> => {
    const relay = await HalfOpenRelay.start({ port });
    relays.push(relay);
    return relay.port;
  };
  const relayed = await TelegramFixture.start({ pingMinMs: 300, pingMaxMs: 500, pongMs: 3_000 }, testEgress(), through);
  try {
    const { session, context } = await relayed.login("bob");
    for (const relay of relays) relay.forget();
    await context.until((state) => state.kind === "disconnected");
    await context.connected();
    expect((await relayed.run(session, "list-channels", {})).docs.length).toBeGreaterThan(0);
  } finally {
    await relayed.stop();
    for (const relay of relays) await relay.stop();
  }
});

test("a server that falls silent altogether is noticed, and the connection is back when it speaks again", async () => {
  const { context } = await fixture.login("frank");
  await fixture.fault({ kind: "stall", account: "frank" });
  await context.until((state) => state.kind === "disconnected");
  fixture.sandbox.telegram.control.clearFaults();
  await context.connected();
});

test("is connected only when the platform has confirmed the login, not when the socket is open", async () => {
  const first = await fixture.login("frank");
  await fixture.closeSessions();
  await fixture.fault({ kind: "stall", method: "users.getUsers", account: "frank" });
  const { context } = fixture.open(first.context.storage);
  await eventually("the question is asked", () => fixture.connections().some(({ account }) => account === "frank"));
  await context.until((state) => state.kind === "disconnected");
  // No event shows that the state stays, so the test waits half a second, many times the duration of a connect.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(context.state().kind).toBe("disconnected");
  fixture.sandbox.telegram.control.clearFaults();
});

test("the platform itself drops the connection of a process that says nothing after its login", async () => {
  const frozen = await TelegramFixture.start({ pingMinMs: 600_000, pingMaxMs: 600_000, dropMs: 2_000 });
  try {
    const { context } = await frozen.login("frank");
    await context.until((state) => state.kind === "disconnected");
  } finally {
    await frozen.stop();
  }
});

test("a connection outlives every stall that its lease outlives, and is dropped before others may connect", () => {
  expect(defaultTiming.dropMs - defaultTiming.pingMaxMs).toBeGreaterThan(defaultClusterTiming.validityMs);
  expect(fixture.adapter.dropMs + defaultClusterTiming.deathMs).toBeGreaterThan(defaultTiming.dropMs + defaultClusterTiming.validityMs);
});

test("an idle connection changes nothing, and neither does a pong that comes late", async () => {
  const { context } = await fixture.login("frank");
  await eventually("the login is complete", () => context.history.includes("account-changed"));
  const before = context.history.filter((entry) => entry !== "updates");
  await fixture.fault({ kind: "delay", method: "ping", account: "frank", seconds: 0.3 });
  fixture.resetCalls();
  await eventually("two rounds of the keep-alive", () => fixture.calls("updates.getState") >= 2);
  expect(context.history.filter((entry) => entry !== "updates")).toEqual(before);
});

test("a pong that does not come in time ends the connection", async () => {
  const { context } = await fixture.login("frank");
  await fixture.fault({ kind: "delay", method: "ping", account: "frank", seconds: 600, times: 1 });
  await context.until((state) => state.kind === "disconnected");
  await context.connected();
});

test("a device removed without a word is found by the keep-alive", async () => {
  const { context } = await fixture.login("judy");
  await fixture.fault({ kind: "error", error: "401 SESSION_REVOKED", method: "updates.getState", account: "judy", times: 1 });
  await context.qr();
  expect(context.history.filter((entry) => entry === "logged-out")).toHaveLength(1);
});

test("a server that is not to be reached leaves the session disconnected until it is back", async () => {
  const { context } = await fixture.login("judy");
  await fixture.fault({ kind: "refuse", seconds: 600 });
  await fixture.fault({ kind: "drop", account: "judy" });
  await context.until((state) => state.kind === "disconnected");
  // Long enough for several refused connection attempts.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(context.state().kind).toBe("disconnected");
  expect(context.history.filter((entry) => entry === "logged-in")).toHaveLength(1);
  fixture.sandbox.telegram.control.clearFaults();
  await context.connected();
});

test("a platform that refuses the layer is left alone, and the login goes on once it takes it", async () => {
  const { session, context } = await fixture.login("judy");
  fixture.resetCalls();
  await fixture.fault({ kind: "error", account: "judy", method: "help.getConfig", error: "400 CONNECTION_LAYER_INVALID", times: 9 });
  await fixture.fault({ kind: "drop", account: "judy" });
  await context.until((state) => state.kind === "disconnected");
  await eventually("a wait that does not count", () => session.isWaitingForPlatform);
  expect(fixture.calls("help.getConfig")).toBe(1);
  expect(context.failures.at(-1)).toBe("the platform takes the layer of this client no longer (CONNECTION_LAYER_INVALID)");
  fixture.sandbox.telegram.control.clearFaults();
  await session.reconnect();
  await context.connected();
  expect(context.history).not.toContain("logged-out");
});

test("keeps the connection after a flood wait", async () => {
  const { context } = await fixture.login("judy");
  fixture.resetCalls();
  await fixture.fault({ kind: "flood-wait", method: "updates.getState", seconds: 40, times: 2 });
  await eventually("three rounds of the keep-alive", () => fixture.calls("updates.getState") >= 3);
  expect(context.history).not.toContain("connection-lost");
});

test("issues a new code when the platform rejects the key", async () => {
  const { context } = await fixture.login("lina");
  const { keys } = fixture.sandbox.telegram.server;
  for (const { id, account } of [...keys.values()]) if (account === "lina" && keys instanceof Map) keys.delete(id);
  await context.qr();
  expect(context.history).toContain("logged-out");
});

test("a record that cannot be written is no reason to close the connection", async () => {
  const { session, context } = fixture.open();
  const dispatch = context.dispatch.bind(context);
  context.dispatch = (event) => (event.type === "account-changed" ? Promise.reject(new Error("redis is away")) : dispatch(event));
  await fixture.scan("grace", await context.qr());
  await context.connected();
  await fixture.run(session, "list-channels", {});
  expect(context.history).not.toContain("connection-lost");
});

test("writes nothing once ownership is lost, and closes its socket", async () => {
  const { session, context } = await fixture.login("ivan");
  fixture.resetCalls();
  context.owned = false;
  await expect(fixture.run(session, "list-channels", {})).rejects.toMatchObject({ message: "session not connected" });
  expect(fixture.calls("messages.getDialogs")).toBe(0);
  await eventually("the socket closes", () => fixture.connections().every(({ account }) => account !== "ivan"));
});

test("leaves no socket, timer or task behind", async () => {
  const before = process.getActiveResourcesInfo().filter((one) => one === "TCPSocketWrap" || one === "Timeout").length;
  const opened = await Promise.all(["alice", "carol", "judy"].map((account) => fixture.login(account)));
  for (const { session } of opened) await fixture.run(session, "list-channels", {});
  // One session whose QR code is never scanned, and one whose server refuses the connection.
  const waiting = fixture.open();
  await waiting.context.qr();
  await fixture.closeSessions();
  await eventually("all connections are closed", () => fixture.connections().length === 0);
  await eventually(
    "all handles are gone",
    () => process.getActiveResourcesInfo().filter((one) => one === "TCPSocketWrap" || one === "Timeout").length <= before,
  );
});

test("nothing of an ended connection stays in memory", async () => {
  const { session, context } = await fixture.login("alice");
  for (let round = 0; round < 8; round++) {
    await fixture.run(session, "list-channels", {});
    session.connector.chats.clear();
    await fixture.fault({ kind: "drop", account: "alice" });
    await context.until((state) => state.kind === "disconnected");
    await context.connected();
  }
  // The stack may still refer to the client that ended last.
  await eventually("one or two connections are left of nine", () => queryObjects(Client, { format: "count" }) <= 2);
  await fixture.closeSessions();
  await eventually(
    "no connection is left",
    () => queryObjects(Client, { format: "count" }) === 0 && queryObjects(Sender, { format: "count" }) === 0,
  );
});

test("ends within its bound while the server does not respond", async () => {
  // Only the end of the session ends the call.
  const slow = await TelegramFixture.start({ openMs: 600_000, callMs: 600_000, pongMs: 600_000 });
  try {
    const first = await slow.login("kenji");
    await slow.closeSessions();
    await slow.fault({ kind: "stall", method: "help.getConfig" });
    slow.resetCalls();
    const second = slow.open(first.context.storage);
    await eventually("the question is asked", () => slow.calls("help.getConfig") > 0);
    await second.session.close();
    expect(second.context.state().kind).not.toBe("deleted");
  } finally {
    await slow.stop();
  }
});

test("one account never has two connections at once", () => {
  expect(fixture.sandbox.telegram.control.overlaps()).toEqual([]);
});

test("a session that closes does not wait for a media connection that is still being made", async () => {
  const egress = testEgress();
  const direct = egress.route(undefined);
  let dials = 0;
  const neverThere = (signal: Ending): Promise<never> => {
    dials += 1;
    return untilAborted(new Promise<never>(() => undefined), signal);
  };
  // The home data centre is at 127.0.0.1.
  egress.route = () => ({
    proxied: false,
    dial: (target, signal) => (target.host === "127.0.0.1" ? direct.dial(target, signal) : neverThere(signal)),
  });
  const silent = await TelegramFixture.start({ connectMs: 600_000, openMs: 600_000 }, egress);
  try {
    const { session } = await silent.login("bob");
    let isOver = false;
    const reading = session.connector.connected().media.use(2, new AbortScope(), () => Promise.resolve());
    reading.catch(() => (isOver = true));
    await eventually("a dial", () => dials > 0);
    await session.close();
    expect(isOver).toBe(true);
  } finally {
    await silent.stop();
  }
});
