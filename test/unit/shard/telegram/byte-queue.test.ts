import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { ByteQueue } from "../../../../shard/telegram/network/byte-queue.js";

test("hands out exact lengths, however the bytes arrive", async () => {
  const source = randomBytes(10_000);
  const queue = new ByteQueue();
  let sent = 0;
  const feed = (): void => {
    const size = 1 + Math.floor(Math.random() * 700);
    queue.push(source.subarray(sent, sent + size));
    sent = Math.min(source.length, sent + size);
  };
  for (let read = 0; read < source.length; ) {
    const count = Math.min(source.length - read, 1 + Math.floor(Math.random() * 900));
    const taking = queue.take(count);
    while (queue.spare < count && sent < source.length && sent - read < count) feed();
    expect((await taking).equals(source.subarray(read, read + count))).toBe(true);
    read += count;
  }
  expect(queue.spare).toBe(0);
});

test("ends a reader that waits, and every later one", async () => {
  const queue = new ByteQueue();
  queue.push(Buffer.from("ab"));
  const taking = queue.take(3);
  queue.end();
  await expect(taking).rejects.toThrow("closed");
  expect((await queue.take(2)).toString()).toBe("ab");
  await expect(queue.take(1)).rejects.toThrow("closed");
});
