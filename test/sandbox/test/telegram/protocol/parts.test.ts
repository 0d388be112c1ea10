import { randomBytes } from "node:crypto";
import { Api } from "telegram";
import { IGE } from "telegram/crypto/IGE.js";
import { describe, expect, it } from "vitest";
import { encryptIge } from "../../../telegram/protocol/crypto/ige.js";
import { MessageIds } from "../../../telegram/protocol/messages/message-id.js";
import { ReceivedMessages } from "../../../telegram/protocol/messages/received-messages.js";
import { readObject } from "../../../telegram/protocol/messages/tl-reader.js";
import { build, lineOf, lines } from "./built-objects.js";
import { ByteQueue } from "../../../telegram/protocol/transport/byte-queue.js";

describe("IGE by way of CBC", () => {
  it.each([16, 32, 48, 64, 1_024, 524_352])("gives GramJS's result for %d bytes, also in place and off the word", (length) => {
    const [key, iv] = [randomBytes(32), randomBytes(32)];
    for (const offset of [0, 4]) {
      const plain = Buffer.alloc(length + offset).subarray(offset);
      randomBytes(length).copy(plain);
      const expected = new IGE(key, iv).encryptIge(plain);
      const target = Buffer.alloc(length);
      encryptIge(key, iv, plain, target);
      expect(target.equals(expected)).toBe(true);
      encryptIge(key, Buffer.concat([Buffer.alloc(1), iv]).subarray(1), plain, plain);
      expect(plain.equals(expected)).toBe(true);
    }
  });
});

describe("ByteQueue", () => {
  it("returns what went in, whatever the pieces", () => {
    const bytes = randomBytes(20_000);
    const queue = new ByteQueue();
    for (let offset = 0; offset < bytes.length; ) {
      const step = 1 + (offset % 37 === 0 ? 900 : offset % 7);
      queue.push(bytes.subarray(offset, offset + step));
      offset += step;
      if (offset % 3 !== 0) continue;
      const half = Math.floor(queue.length / 2);
      expect(queue.peek(half).equals(queue.take(half))).toBe(true);
    }
    const rest = queue.take(queue.length);
    expect(rest.equals(bytes.subarray(bytes.length - rest.length))).toBe(true);
    expect(queue.length).toBe(0);
  });

  it("holds tens of thousands of single bytes", () => {
    const queue = new ByteQueue();
    const bytes = randomBytes(50_000);
    for (const byte of bytes) queue.push(Buffer.from([byte]));
    expect(queue.take(bytes.length).equals(bytes)).toBe(true);
  });
});

describe("MessageIds", () => {
  it("grow although many are made in one millisecond", () => {
    const ids = new MessageIds();
    let last = 0n;
    for (let count = 0; count < 5_000; count += 1) {
      const id = ids.next(count % 2 ? "answer" : "notice");
      expect(id > last).toBe(true);
      expect(id & 3n).toBe(count % 2 ? 1n : 3n);
      last = id;
    }
  });
});

describe("ReceivedMessages", () => {
  it("forgets the oldest and says so", () => {
    const received = new ReceivedMessages();
    for (let id = 4n; id <= 4n * 2_000n; id += 4n) expect(received.add(id, Number(id / 2n) - 1, false)).toBe("new");
    expect(received.add(4n, 1, false)).toBe(20);
    expect(received.state(4n)).toBe("unknown");
    expect(received.add(8_000n, 3_999, false)).toBe("repeated");
    expect(received.state(8_004n)).toBe("ahead");
  });
});

describe("the reader", () => {
  it.each([true, false])("reads every object of the schema as it was written (optional fields: %s)", (withFlags) => {
    let count = 0;
    for (const line of lines) {
      const written = build(line, withFlags).getBytes();
      const { object, end } = readObject(written);
      expect(end, object.className).toBe(written.length);
      if (Object.values(line.argsConfig).some(({ type }) => type === "X")) continue;
      expect(object.getBytes().equals(written), object.className).toBe(true);
      count += 1;
    }
    expect(count).toBeGreaterThan(2_000);
  });

  it("refuses every truncation", () => {
    const written = build(lineOf(Api.messages.SendMedia.CONSTRUCTOR_ID), true).getBytes();
    for (let length = 4; length < written.length; length += 4) expect(() => readObject(written.subarray(0, length))).toThrow();
  });
});
