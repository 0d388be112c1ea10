import { EventEmitter } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { expect, it } from "vitest";
import type { UpdateEvent } from "../../../../../shard/session/session-context.js";
import { StanzaGate } from "../../../../../shard/whatsapp/events/stanza-gate.js";
import { node } from "./events-under-test.js";

const event = (id: string): UpdateEvent => ({ id, type: "message.new", created: "", data: {} });
const receipt = (id: string): BinaryNode => node("receipt", { id });

/** Returns a gate before the library's listener. Stanzas whose id begins with "e" have an event; their writes end as the test says. */
function aGate(listener?: (node: BinaryNode) => void) {
  const handled: string[] = [];
  const stored: string[] = [];
  const failures: unknown[] = [];
  const writes: { end: () => void; fail: (error: Error) => void }[] = [];
  const gate = new StanzaGate({
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
    onFailure: (error) => failures.push(error),
  });
  const ws = new EventEmitter();
  ws.on("CB:receipt", listener ?? (({ attrs }: BinaryNode) => handled.push(attrs["id"] ?? "")));
  ws.on("CB:iq", () => handled.push("iq"));
  gate.install(ws as unknown as Parameters<StanzaGate["install"]>[0]);
  return { ws, handled, stored, failures, writes, pass: (id: string) => ws.emit("CB:receipt", receipt(id)) };
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

it("ends the connection when a thousand stanzas wait", async () => {
  const { handled, failures, pass } = aGate();
  for (let count = 0; count < 1_000; count++) pass("e1");
  expect(failures).toEqual([]);
  pass("1001");
  pass("1002");
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
