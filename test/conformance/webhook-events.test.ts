import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SessionExpiringData, SessionStateData } from "../../shared/contract/session-events.js";
import { disconnectedMs } from "../../shared/limits.js";
import { createSession, type Caller } from "../harness/api.js";
import { claimPorts } from "../harness/claimed-ports.js";
import { startHeldCluster, type HeldCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { signatureFits, type WebhookReceiver } from "../harness/webhook-receiver.js";
import { eachPlatform } from "./platforms-under-test.js";
import { bodyOf, holdEvents, nextSecond, receiverToken, textsOf, typesOf, WebhookStage, webhookOff } from "./webhook-stage.js";

/** Tests which events reach a receiver, how often and in which order, on both platforms. The test controls the deletion timers. */
let gateway: HeldCluster;
beforeAll(async () => {
  gateway = await startHeldCluster({ overrides: { webhookTiming: { delaysMs: [20], delayMaxMs: 20 } } });
});
afterAll(() => gateway.stop());

const defaults = ["message.new", "message.edited", "message.read", "message.deleted"];

describe.each(eachPlatform)("$platform: events", ({ platform, listedEvents }) => {
  let stage: WebhookStage;
  let caller: Caller;
  beforeAll(async () => {
    stage = await WebhookStage.open(gateway, { platform });
    ({ caller } = stage);
  });
  afterEach(() => stage.turnOff());

  it("report new, edited, read and deleted messages, in order, with the headers, and nothing from before", async () => {
    await stage.people("send", { text: "before it was on" });
    await nextSecond();
    const receiver = await stage.turnOn();
    const messageId = await stage.people("send", { text: "Hello 👋" });
    await stage.people("edit", { messageId, text: "Hello again" });
    await stage.people("read", { messageId, inbox: true });
    await stage.people("delete", { messageId });
    await eventually("four events", () => receiver.taken.length >= 4);
    const bodies = receiver.taken.map(bodyOf);
    expect(typesOf(receiver)).toEqual(defaults);
    expect(bodies).toMatchObject([
      { session: stage.id, created: expect.stringMatching(/Z$/) as string, data: { id: messageId, text: "Hello 👋", fromMe: false } },
      { data: { id: messageId, text: "Hello again" } },
      { data: { until: messageId, by: "me" } },
      { data: { ids: [messageId] } },
    ]);
    for (const [index, one] of receiver.taken.entries()) {
      expect(one).toMatchObject({
        method: "POST",
        path: "/hook",
        headers: { "content-type": "application/json", "x-token": receiverToken, "webhook-id": bodies[index]?.id },
      });
      expect(signatureFits(one, receiverToken)).toBe(true);
    }
  });

  it("come at least once, with the same id and bytes, and in the order of each chat, if the receiver fails now and then", async () => {
    const receiver = await stage.turnOn();
    receiver.respond = () => (receiver.requests.length % 3 === 0 ? 500 : 200);
    const texts = { bob: [] as string[], carol: [] as string[] };
    for (let n = 0; n < 10; n += 1)
      for (const chat of ["bob", "carol"] as const) {
        texts[chat].push(`to ${chat} ${n}`);
        await stage.people("send", { chat, text: `to ${chat} ${n}` });
      }
    await eventually("all events", () => new Set(textsOf(receiver)).size >= 20);
    for (const chat of ["bob", "carol"] as const)
      expect(textsOf(receiver).filter((text) => text.startsWith(`to ${chat} `))).toEqual(texts[chat]);
    const bodies = new Map<string, Set<string>>();
    for (const { id, body } of receiver.requests) bodies.set(id, (bodies.get(id) ?? new Set()).add(body.toString("base64")));
    expect([...bodies.values()].map(({ size }) => size)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(receiver.requests.length).toBeGreaterThan(20);
    expect(receiver.requests.every((one) => signatureFits(one, receiverToken))).toBe(true);
  });

  it("stop when the webhook is turned off, and missed ones are not delivered when it is turned on again", async () => {
    const receiver = await stage.turnOn();
    await stage.people("send", { text: "first" });
    await eventually("the first", () => receiver.taken.length === 1);
    await stage.put(webhookOff);
    await stage.people("send", { text: "meanwhile" });
    await nextSecond();
    await stage.put({ url: receiver.url, token: receiverToken });
    await stage.people("send", { text: "last" });
    await eventually("the last", () => receiver.taken.length >= 2);
    expect(textsOf(receiver)).toEqual(["first", "last"]);
  });

  it("that one receiver did not take go to the next", async () => {
    const dead = await stage.turnOn();
    holdEvents(dead);
    for (const text of ["a", "b", "c"]) await stage.people("send", { text });
    await eventually("an attempt", () => dead.requests.length >= 1);
    const living = await stage.receive();
    await stage.put({ url: living.url, token: "new" });
    await eventually("all three", () => living.taken.length >= 3);
    expect(textsOf(living)).toEqual(["a", "b", "c"]);
    expect(living.taken[0]?.body.equals(dead.requests[0]?.body ?? Buffer.alloc(0))).toBe(true);
    expect(living.taken.every((one) => signatureFits(one, "new"))).toBe(true);
  });

  it.each(listedEvents)("of the type $type come if the webhook lists it", async ({ type, action, fields, data }) => {
    const receiver = await stage.turnOn({ events: [type] });
    await stage.people("send", { text: "of another type" });
    await stage.people(action, fields);
    await eventually("the event", () => receiver.taken.length >= 1);
    expect(receiver.taken.map(bodyOf)).toMatchObject([{ type, session: stage.id, data }]);
  });

  it("of other types than private messages do not come without a list", async () => {
    const receiver = await stage.turnOn();
    for (const { action, fields } of listedEvents) await stage.people(action, fields);
    await stage.people("send", { text: "last" });
    await eventually("the last", () => textsOf(receiver).includes("last"));
    expect(typesOf(receiver)).toEqual(["message.new"]);
  });

  it("are taken by the receiver of the page, each once", async () => {
    const page = readFileSync(fileURLToPath(new URL("../../router/docs/webhooks.md", import.meta.url)), "utf8");
    const [, code = ""] = /```js\n(import[\s\S]*?)```/.exec(page) ?? [];
    const { first: port, release } = await claimPorts();
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      env: { TOKEN: receiverToken, PORT: String(port) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    createInterface(child.stdout).on("line", (line) => lines.push(line));
    try {
      const url = `http://127.0.0.1:${port}/`;
      await eventually("the receiver", async () => (await fetch(url, { method: "POST", body: "{}" })).status === 401);
      await stage.put({ url, token: receiverToken });
      const messageId = await stage.people("send", { text: "Hello 👋", media: "document" });
      await stage.people("edit", { messageId, text: "Hello again" });
      await stage.people("read", { messageId, inbox: true });
      await stage.people("delete", { messageId });
      await eventually("all events", () => lines.length >= 4);
      expect(lines.map((line) => (JSON.parse(line) as { readonly type: string }).type)).toEqual(defaults);
    } finally {
      child.kill();
      release();
    }
  });

  it("of an absence come after the reconnection, in their order, and the states of the session before", async () => {
    const receiver = await stage.turnOn({ events: ["message.new", "session.state", "session.expiring"] });
    await stage.side.fault({ account: "alice", kind: "drop", seconds: 600 });
    await eventually("its state and a warning", () => receiver.taken.length >= 2);
    expect(typesOf(receiver)).toEqual(["session.state", "session.expiring"]);
    expect(stateIn(receiver)).toMatchObject({ state: "disconnected" });
    expect(expiryIn(receiver) - Date.now()).toBeGreaterThan(disconnectedMs - 60_000);
    const texts = ["while away 1", "while away 2", "while away 3"];
    for (const text of texts) await stage.people("send", { text });
    gateway.pass(disconnectedMs - 5 * 60_000);
    await eventually("another warning", () => receiver.taken.length >= 3);
    expect(typesOf(receiver).at(-1)).toBe("session.expiring");
    expect(expiryIn(receiver) - Date.now()).toBeLessThan(6 * 60_000);
    await stage.side.clearFaults();
    await eventually("all events", () => receiver.taken.length >= 7);
    expect(stateIn(receiver)).toEqual({ state: "connected", reason: "" });
    expect(textsOf(receiver).filter((text) => texts.includes(text))).toEqual(texts);
    expect((await caller.record()).isConnected).toBe(true);
  });

  it("of the session's state come from its login to its deletion, if the webhook was set before", async () => {
    const other = await createSession(gateway, platform);
    const receiver = await stage.receive();
    await stage.put({ url: receiver.url, token: receiverToken, events: ["session.state"] }, other);
    const states = (): SessionStateData["state"][] => receiver.taken.map((one) => (bodyOf(one).data as SessionStateData).state);
    await other.scan("judy");
    await eventually("connected", () => states().length >= 1);
    await stage.side.post("/phone/unlink", { account: "judy" });
    await eventually("awaiting", () => states().includes("awaiting"));
    expect(await other.send("DELETE", "/session")).toMatchObject({ status: 200 });
    await eventually("deleted", () => states().includes("deleted"));
    expect(states()).toEqual(["connected", "awaiting", "deleted"]);
    expect(stateIn(receiver)).toEqual({ state: "deleted", reason: "deleted by its owner" });
    expect(receiver.taken.every((one) => bodyOf(one).session === other.credentials.id)).toBe(true);
  });
});

const newest = (receiver: WebhookReceiver, type: string): unknown =>
  receiver.taken.map(bodyOf).findLast((body) => body.type === type)?.data;
const stateIn = (receiver: WebhookReceiver): SessionStateData => newest(receiver, "session.state") as SessionStateData;
const expiryIn = (receiver: WebhookReceiver): number => Date.parse((newest(receiver, "session.expiring") as SessionExpiringData).expires);
