import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { ConnectionLost } from "../../../../shard/whatsapp/network/connection-error.js";
import { MessageAcks } from "../../../../shard/whatsapp/network/message-acks.js";

function aConnection() {
  const ws = new EventEmitter();
  const losses: unknown[] = [];
  const acks = new MessageAcks(ws as never, (error) => {
    losses.push(error);
    return new ConnectionLost(undefined, error);
  });
  return { ws, acks, losses };
}

it.each(["close", "error"])("%s ends all waits, and is no loss while nothing waits", async (event) => {
  const { ws, acks, losses } = aConnection();
  const over = acks.to("0");
  over.forget();
  ws.emit(event, new Error("early"));
  expect(losses).toEqual([]);
  const waits = ["1", "2"].map((id) => acks.to(id).ack);
  ws.emit(event, "cause");
  const ends = await Promise.allSettled(waits);
  expect(ends.map((end) => end.status === "rejected" && end.reason instanceof ConnectionLost)).toEqual([true, true]);
  expect(losses).toEqual(["cause"]);
});

it("waits add no listener but that of their ack, and leave none behind", async () => {
  const { ws, acks } = aConnection();
  const listeners = (): number => ws.eventNames().reduce((sum, name) => sum + ws.listenerCount(name), 0);
  const before = listeners();
  const waits = ["1", "2"].map((id) => acks.to(id));
  expect([listeners(), acks.isOwn("TAG:1"), acks.isOwn("TAG:3")]).toEqual([before + 2, true, false]);
  ws.emit("TAG:2", { tag: "ack", attrs: { id: "2" } });
  expect(await waits[1]?.ack).toMatchObject({ attrs: { id: "2" } });
  for (const { forget } of waits) forget();
  expect([listeners(), acks.isOwn("TAG:1")]).toEqual([before, false]);
});

it("waits end with the connection when the library has removed the listeners of its close", async () => {
  const { ws, acks } = aConnection();
  const { ack } = acks.to("1");
  ws.removeAllListeners("close");
  ws.emit("close");
  const reason = new ConnectionLost(undefined);
  acks.end(reason);
  await expect(ack).rejects.toBe(reason);
});
