import { EventEmitter } from "node:events";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { WebSocketClient } from "@whiskeysockets/baileys/lib/Socket/Client/websocket.js";
import { beforeAll, expect, it } from "vitest";
import { surviveRejections } from "../../../../shard/whatsapp/network/survive-rejections.js";

beforeAll(() => surviveRejections(() => undefined));

/** Emits a stanza as the library does. */
function emitAsLibrary(socket: EventEmitter, frame: BinaryNode): void {
  const { tag, attrs, content } = frame;
  const child = Array.isArray(content) ? content[0]?.tag : "";
  socket.emit("frame", frame);
  socket.emit(`TAG:${attrs["id"]}`, frame);
  for (const [name, value] of Object.entries(attrs)) {
    socket.emit(`CB:${tag},${name}:${value},${child}`, frame);
    socket.emit(`CB:${tag},${name}:${value}`, frame);
    socket.emit(`CB:${tag},${name}`, frame);
  }
  socket.emit(`CB:${tag},,${child}`, frame);
  socket.emit(`CB:${tag}`, frame);
}

const listened = [
  ...["frame", "TAG:1", "CB:ack", "CB:ack,class:message", "CB:iq,type:set,pair-device", "CB:iq,,pair-success", "CB:iq,xmlns"],
  ...["CB:ib,,dirty", "CB:receipt", "CB:success"],
];
const stanzas: readonly BinaryNode[] = [
  { tag: "ack", attrs: { id: "1", class: "message", from: "a" } },
  { tag: "ack", attrs: { id: "2", class: "receipt" } },
  { tag: "iq", attrs: { id: "1", type: "set", xmlns: "md" }, content: [{ tag: "pair-device", attrs: {} }] },
  { tag: "iq", attrs: { type: "result" }, content: [{ tag: "pair-success", attrs: {} }] },
  { tag: "iq", attrs: { type: "result" }, content: [] },
  { tag: "ib", attrs: {}, content: [{ tag: "dirty", attrs: {} }] },
  { tag: "receipt", attrs: { id: "3", class: "message" }, content: Buffer.of(1) },
  { tag: "success", attrs: {} },
  { tag: "unknown", attrs: { id: "1" } },
];

/** Returns the calls of the listeners, and of one that is added after the first stanzas. */
function callsOn(socket: EventEmitter): string[] {
  const calls: string[] = [];
  const listen = (name: string): unknown => socket.on(name, (node: BinaryNode) => calls.push(`${name} ${stanzas.indexOf(node)}`));
  for (const name of listened) listen(name);
  for (const stanza of stanzas) emitAsLibrary(socket, stanza);
  listen("CB:unknown,id");
  for (const stanza of stanzas) emitAsLibrary(socket, stanza);
  return calls;
}

it("a stanza reaches its listeners in the library's order, each once", () => {
  const socket = new WebSocketClient(new URL("ws://127.0.0.1:1/"), {} as never);
  const calls = callsOn(socket);
  expect(calls).toEqual(callsOn(new EventEmitter()));
  expect(calls).toContain("CB:iq,type:set,pair-device 2");
  expect(calls.at(-1)).toBe("CB:unknown,id 8");
});

it("the same stanza of another socket reaches that socket's listeners", () => {
  const calls: number[] = [];
  const sockets = [1, 2].map((number) => {
    const socket = new WebSocketClient(new URL("ws://127.0.0.1:1/"), {} as never);
    return socket.on("CB:success", () => calls.push(number));
  });
  for (const socket of sockets) emitAsLibrary(socket, { tag: "success", attrs: {} });
  expect(calls).toEqual([1, 2]);
});
