import { EventEmitter } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { expect, it } from "vitest";
import type { UpdateEvent } from "../../../../../shard/session/session-context.js";
import { StanzaGate } from "../../../../../shard/whatsapp/events/stanza-gate.js";
import { node } from "./events-under-test.js";

const event = (id: string): UpdateEvent => ({ id, type: "message.new", created: "", data: {} });
/** A receipt that the library handles. */
const receipt = (id: string): BinaryNode => node("receipt", { id, type: "retry" });

/** Returns a gate before the library's listener. Stanzas whose id begins with "e" have an event; their writes end as the test says. */
function aGate(listener?: (node: BinaryNode) => unknown) {
  const handled: string[] = [];
  const stored: string[] = [];
  const confirmed: string[] = [];
  const failures: unknown[] = [];
  const writes: { end: () => void; fail: (error: Error) => void }[] = [];
  const gate = new StanzaGate({
    isOrdered: ({ attrs: { id = "" } }) => id.startsWith("m"),
    eventsBefore: ({ attrs: { id = "" } }) => {
      if (id === "bad") return Promise.reject(new Error("settings not read"));
      return id.startsWith("e") ? Promise.resolve(id === "empty" ? [] : [event(id)]) : undefined;
    },
    store: (events) =>
      new Promise((resolve, fail) => {
        const end = (): void => {
          stored.push(...events.map(({ id }) => id));
          resolve();
        };
        writes.push({ end, fail });
      }),
    confirm: async ({ attrs }) => void confirmed.push(attrs["id"] ?? ""),
    onFailure: (error) => failures.push(error),
  });
  const ws = new EventEmitter();
  ws.on("CB:receipt", listener ?? (({ attrs }: BinaryNode) => handled.push(attrs["id"] ?? "")));
  ws.on("CB:message", listener ?? (() => undefined));
  ws.on("CB:iq", () => handled.push("iq"));
  gate.install(ws as unknown as Parameters<StanzaGate["install"]>[0]);
  return { ws, handled, stored, confirmed, failures, writes, pass: (id: string) => ws.emit("CB:receipt", receipt(id)) };
}

it("passes stanzas without events at once", () => {
  const { handled, pass, ws } = aGate();
  pass("1");
  ws.emit("CB:iq");
  expect(handled).toEqual(["1", "iq"]);
});

it("passes a stanza when its events are stored, and later ones after it", async () => {
  const { handled, stored, writes, pass, ws } = aGate();
  for (const id of ["e1", "2", "empty", "e3"]) pass(id);
  ws.emit("CB:iq");
  await turn();
  expect([handled, stored, writes.length]).toEqual([["iq"], [], 1]);
  writes[0]?.end();
  await turn();
  expect([handled, stored, writes.length]).toEqual([["iq", "e1", "2", "empty"], ["e1"], 2]);
  writes[1]?.end();
  await turn();
  expect(handled).toEqual(["iq", "e1", "2", "empty", "e3"]);
  pass("4");
  expect(handled.at(-1)).toBe("4");
});

it("confirms a receipt when its events are stored, and passes those that the library has work with", async () => {
  const { ws, handled, confirmed, writes } = aGate();
  for (const id of ["e1", "2"]) ws.emit("CB:receipt", node("receipt", { id, type: "read" }));
  ws.emit("CB:receipt", node("receipt", { id: "3" }));
  for (const attrs of [{ type: "retry" }, { offline: "1" }]) ws.emit("CB:receipt", node("receipt", { id: "4", ...attrs }));
  await turn();
  expect([handled, confirmed]).toEqual([[], []]);
  writes[0]?.end();
  await turn();
  expect([handled, confirmed]).toEqual([
    ["4", "4"],
    ["e1", "2", "3"],
  ]);
});

it("passes nothing after events that could not be stored", async () => {
  const { handled, failures, writes, pass } = aGate();
  for (const id of ["e1", "2"]) pass(id);
  await turn();
  writes[0]?.fail(new Error("redis is away"));
  await turn();
  pass("3");
  expect([handled, failures]).toEqual([[], [new Error("redis is away")]]);
});

it("passes nothing after events that could not be made", async () => {
  const { handled, failures, pass } = aGate();
  for (const id of ["bad", "2"]) pass(id);
  await turn();
  expect([handled, failures]).toEqual([[], [new Error("settings not read")]]);
});

it("ends the connection when too many stanzas wait", async () => {
  const { handled, failures, pass } = aGate();
  for (let count = 0; count < 10_000; count++) pass("e1");
  expect(failures).toEqual([]);
  pass("one more");
  pass("another");
  await turn();
  expect(failures).toEqual([new Error("too many stanzas wait for their events")]);
  expect(handled).toEqual([]);
});

it("leaves an error of the library's listener to the library, unless the stanza waited", async () => {
  const failing = aGate(() => {
    throw new Error("from the library");
  });
  expect(() => failing.pass("1")).toThrow("from the library");
  failing.pass("empty");
  await turn();
  expect(failing.failures).toEqual([new Error("from the library")]);
});

it("passes a message that may have events when the library is done with the one before, and nothing else waits for it", async () => {
  const order: string[] = [];
  const done: (() => void)[] = [];
  const { ws, pass, failures } = aGate(({ attrs }) => {
    order.push(`${attrs["id"]}${attrs["offline"] === undefined ? "" : " (offline)"}`);
    return new Promise<void>((resolve) => done.push(resolve));
  });
  for (const id of ["m1", "m2", "other"]) ws.emit("CB:message", node("message", { id, offline: "1" }));
  pass("receipt");
  await turn();
  expect(order).toEqual(["receipt", "m1"]);
  done.at(-1)?.();
  await turn();
  expect(order).toEqual(["receipt", "m1", "m2"]);
  done.at(-1)?.();
  await turn();
  expect(order).toEqual(["receipt", "m1", "m2", "other (offline)"]);
  expect(failures).toEqual([]);
});

it("stores the event of a receipt between those of the messages around it", async () => {
  const order: string[] = [];
  const done: (() => void)[] = [];
  const { ws, pass, writes, failures } = aGate(({ attrs }) => {
    order.push(attrs["id"] ?? "");
    if (attrs["id"]?.startsWith("m") === true) return new Promise<void>((resolve) => done.push(resolve));
    return undefined;
  });
  ws.emit("CB:message", node("message", { id: "m1" }));
  pass("e1");
  ws.emit("CB:message", node("message", { id: "m2" }));
  await turn();
  expect([order, writes.length]).toEqual([["m1"], 0]);
  done[0]?.();
  await turn();
  expect([order, writes.length]).toEqual([["m1"], 1]);
  writes[0]?.end();
  await turn();
  expect(order).toEqual(["m1", "e1", "m2"]);
  expect(failures).toEqual([]);
});

it("ends the connection when the library fails at a message that may have events", async () => {
  const { ws, failures } = aGate(() => Promise.reject(new Error("from the library")));
  ws.emit("CB:message", node("message", { id: "m1" }));
  await turn();
  expect(failures).toEqual([new Error("from the library")]);
});
