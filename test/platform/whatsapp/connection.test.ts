import { AsyncLocalStorage } from "node:async_hooks";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { MessageInput } from "../../../shared/contract/whatsapp/message.js";
import type { SessionState } from "../../../shared/session/state.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { SignalSessions } from "../../../shard/whatsapp/signal-sessions/signal-sessions.js";
import { eventually } from "../../harness/eventually.js";
import { HalfOpenRelay } from "../../harness/half-open-relay.js";
import type { TestContext } from "../session-context.js";
import { WhatsAppFixture } from "./fixture.js";

let fixture: WhatsAppFixture;
const ends: string[] = [];
/** Number of times that bytes arrived from the platform. */
let responses = 0;
beforeAll(async () => {
  const metrics = { onConnectionEnd: (reason: string) => void ends.push(reason), onBytes: () => void (responses += 1) };
  fixture = await WhatsAppFixture.start({ pingMs: 400 }, { metrics });
});
afterEach(() => fixture.closeSessions());
afterAll(() => fixture.stop());

const text: MessageInput = { to: { kind: "phone", phone: "6281155501002" }, type: "text", text: "still here" };
/** Checks that the login still works and that recipients can read its messages. */
const sends = async (session: Session<WhatsAppConnector>, account: string): Promise<void> => {
  const { messageId } = await fixture.run(session, "send-message", text);
  expect(fixture.sent(account, messageId)).toMatchObject({ text: "still here" });
  expect(fixture.sent(account, messageId).failures ?? []).toEqual([]);
};
const close = (account: string, error: string, more: object = {}): Promise<void> =>
  fixture.control("/faults", { kind: "close", account, error, ...more });
const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === "Timeout").length;
const isLost = ({ kind }: SessionState): boolean => kind === "disconnected";
/** Returns the events from now on. Every state causes an event, so even a short state is noticed. */
const eventsSince = (context: TestContext): (() => string[]) => {
  const start = context.history.length;
  return () => context.history.slice(start).filter((event) => event !== "secrets" && event !== "credentials");
};

describe("a close code after which the login goes on", () => {
  test.each([
    ["408", "lost"],
    ["428", "lost"],
    ["440", "lost"],
    ["500", "lost"],
    ["503", "lost"],
    ["515", "restart"],
  ])("%s: disconnected with the account, then connected without a code", async (code, end) => {
    const { session, context } = await fixture.login("alice");
    const events = eventsSince(context);
    ends.length = 0;
    const { credentials } = context.storage;
    // A silent server (408) is detected by a missing pong, 5 s after it was due, and after a second ping.
    await close("alice", code);
    await context.until(isLost);
    expect(context.state()).toMatchObject({ kind: "disconnected", account: { phone: "6281155501001" } });
    await expect(fixture.run(session, "send-message", text)).rejects.toMatchObject({ status: 500, message: "session not connected" });
    await context.connected();
    expect(ends).toContain(end);
    expect(
      events()
        .filter((event) => event !== "account-changed")
        .slice(0, 2),
    ).toEqual(["connection-lost", "logged-in"]);
    expect(events()).not.toContain("qr-issued");
    expect(context.storage.credentials).toBeDefined();
    expect(credentials).toBeDefined();
    await sends(session, "alice");
  });
});

describe("a close code that ends the login", () => {
  test.each(["401", "403", "411"])("%s: the account is forgotten and a new code is shown", async (code) => {
    const { session, context } = await fixture.login("bob");
    const events = eventsSince(context);
    ends.length = 0;
    await close("bob", code);
    expect(await context.qr()).toMatch(/^https:/);
    expect(ends[0]).toBe("signed-out");
    expect(events()).toContain("logged-out");
    expect(context.storage).toMatchObject({ credentials: undefined, peers: new Map() });
    await expect(fixture.run(session, "send-message", text)).rejects.toMatchObject({ status: 500, message: "session not connected" });
    // Another login works.
    await fixture.scan("bob", await context.qr());
    await context.connected();
    await sends(session, "bob");
  });
});

test("what a process that was killed had not yet forgotten of an account is gone before the next login", async () => {
  const { context } = await fixture.login("bob");
  await eventually("an address book", () => context.storage.peers.size > 0);
  await fixture.closeSessions();
  // A kill right after the credentials were deleted leaves this data.
  const left = { ...context.storage, credentials: undefined };
  expect(left.secrets?.size).toBeGreaterThan(0);
  const next = fixture.open(left);
  await next.context.qr();
  expect(next.context.history).toContain("logged-out");
  expect(left).toMatchObject({ credentials: undefined, peers: new Map(), secrets: new Map() });
});

test("a connection that a firewall has forgotten is found by a ping, and replaced by one that passes", async () => {
  const relays: HalfOpenRelay[] = [];
  const through = async (port: number): Promise<number> => {
    const relay = await HalfOpenRelay.start({ port });
    relays.push(relay);
    return relay.port;
  };
  const relayed = await WhatsAppFixture.start({ pingMs: 400 }, { through });
  try {
    const { session, context } = await relayed.login("alice");
    for (const relay of relays) relay.forget();
    await context.until(isLost);
    await context.connected();
    const { messageId } = await relayed.run(session, "send-message", text);
    expect(relayed.sent("alice", messageId)).toMatchObject({ text: "still here" });
  } finally {
    await relayed.stop();
    for (const relay of relays) await relay.stop();
  }
});

test("a process that stood still for longer than a server may be silent keeps its connection", async () => {
  const { session, context } = await fixture.login("alice");
  const events = eventsSince(context);
  ends.length = 0;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
  const before = responses;
  await eventually("answers to pings", () => responses >= before + 3);
  await sends(session, "alice");
  expect(ends).toEqual([]);
  expect(events()).not.toContain("connection-lost");
});

test("405: the login is kept, and the platform is left alone until there is a newer client", async () => {
  const { context } = await fixture.login("carol");
  const storage = context.storage;
  await close("carol", "405");
  await context.until(isLost);
  fixture.resetCalls();
  // Three times the longest pause after a lost connection.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(fixture.calls("login")).toBe(0);
  expect(context.state().kind).toBe("disconnected");
  await fixture.closeSessions();
  // A newer client finds the stored login.
  const next = fixture.open(storage);
  await next.context.connected();
  expect(next.context.history).not.toContain("qr-issued");
});

test("retries a refusing server until it accepts the login", async () => {
  const { session, context } = await fixture.login("alice");
  fixture.resetCalls();
  await close("alice", "503", { seconds: 600 });
  await context.until(isLost);
  await eventually("several tries", () => fixture.calls("login") > 2);
  expect(isLost(context.state())).toBe(true);
  fixture.sandbox.whatsapp.control.clearFaults();
  await context.connected();
  await sends(session, "alice");
});

test("refused TCP connections and an abrupt end keep the login too", async () => {
  const { session, context } = await fixture.login("alice");
  await fixture.control("/faults", { kind: "refuse", seconds: 600 });
  await fixture.control("/faults", { kind: "drop", account: "alice" });
  await context.until(isLost);
  fixture.sandbox.whatsapp.control.clearFaults();
  await context.connected();
  expect(context.history).not.toContain("logged-out");
  await sends(session, "alice");
});

test("a message that came while the session was away is taken in when it is back", async () => {
  const { session, context } = await fixture.login("alice");
  await fixture.control("/people/send", { account: "alice", text: "while connected" });
  await eventually("its receipt", () => fixture.calls("receipt") > 0);
  await fixture.control("/faults", { kind: "drop", account: "alice", seconds: 600 });
  await context.until(isLost);
  for (const words of ["one", "two", "three"]) await fixture.control("/people/send", { account: "alice", text: words });
  fixture.resetCalls();
  fixture.sandbox.whatsapp.control.clearFaults();
  await context.connected();
  // Each message is acknowledged, or the platform would redeliver it forever.
  await eventually("three receipts", () => fixture.calls("receipt") >= 3);
  await sends(session, "alice");
});

test("what a connection still does when it is closed writes no keys beside the next one", async () => {
  const { session, context } = await fixture.login("alice");
  const { client } = session.connector.account;
  if (client === undefined) throw new Error("not connected");
  const group = { "sender-key-memory": { "1@g.us": { "1@lid": true } } };
  await client.sock.authState.keys.set(group);
  await fixture.control("/faults", { kind: "drop", account: "alice" });
  await context.until(isLost);
  await context.connected();
  await expect(client.sock.authState.keys.set(group)).rejects.toMatchObject({ name: "ConnectionLost" });
  await session.connector.account.client?.sock.authState.keys.set(group);
  await sends(session, "alice");
});

test("writes nothing once ownership is lost, and closes its socket", async () => {
  const { session, context } = await fixture.login("bob");
  fixture.resetCalls();
  context.owned = false;
  await expect(fixture.run(session, "list-groups", {})).rejects.toMatchObject({ message: "session not connected" });
  const { control } = fixture.sandbox.whatsapp;
  await eventually("the socket closes", () => control.connections().every(({ account }) => account !== "bob"));
  expect(fixture.calls("iq w:g2 participating")).toBe(0);
});

test("a connection enters no storage of its own, which every promise would visit", async () => {
  const entered = new Set<unknown>();
  const { run } = AsyncLocalStorage.prototype;
  const running = vi.spyOn(AsyncLocalStorage.prototype, "run").mockImplementation(function (this: AsyncLocalStorage<unknown>, ...given) {
    entered.add(this);
    return run.apply(this, given);
  });
  try {
    await fixture.login("alice");
    const before = entered.size;
    expect(before).toBeGreaterThan(0);
    await fixture.login("bob");
    expect(entered.size).toBe(before);
  } finally {
    running.mockRestore();
  }
});

test("a connection encrypts for many a few at a time", async () => {
  const seen = { running: 0, most: 0 };
  const { session } = await fixture.login("alice");
  const { client } = session.connector.account;
  if (client === undefined) throw new Error("not connected");
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const holding = vi.spyOn(SignalSessions.prototype, "encrypt").mockImplementation(async () => {
    seen.most = Math.max(seen.most, ++seen.running);
    await released;
    seen.running -= 1;
    return { type: "msg", ciphertext: Buffer.alloc(0) };
  });
  const copies = Array.from({ length: 200 }, (_, n) => ({ jid: `${n}@s.whatsapp.net`, data: Buffer.alloc(1) }));
  const all = Promise.all(copies.map((copy) => client.sock.signalRepository.encryptMessage(copy)));
  // None of them ends before as many run as may.
  await eventually("64 of them run", () => seen.running === 64).finally(release);
  await all.finally(() => holding.mockRestore());
  expect(seen).toEqual({ running: 0, most: 64 });
});

test("a frame that is written sets no timer, and a question sets one", async () => {
  const { session } = await fixture.login("alice");
  const { client } = session.connector.account;
  if (client === undefined) throw new Error("not connected");
  const ping = (id: string): BinaryNode => ({
    tag: "iq",
    attrs: { id, to: "@s.whatsapp.net", type: "get", xmlns: "w:p" },
    content: [{ tag: "ping", attrs: {} }],
  });
  const before = timers();
  const written = client.sock.sendNode(ping("frame"));
  expect(timers()).toBe(before);
  await written;
  const idle = timers();
  const pending = client.query(ping("question"));
  expect(timers()).toBe(idle + 1);
  await pending;
});

test("one account never has two connections at once", () => {
  expect(fixture.sandbox.whatsapp.control.overlaps()).toEqual([]);
});
