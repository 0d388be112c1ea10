import { randomBytes } from "node:crypto";
import bigInt from "big-integer";
import { Api } from "telegram";
import { IGE } from "telegram/crypto/IGE.js";
import apiSchema from "telegram/tl/apiTl.js";
import { tlobjects } from "telegram/tl/AllTLObjects.js";
import { parseTl } from "telegram/tl/generationHelpers.js";
import { describe, expect, it } from "vitest";
import { encryptIge } from "../telegram/protocol/crypto/ige.js";
import { MessageIds } from "../telegram/protocol/messages/message-id.js";
import { ReceivedMessages } from "../telegram/protocol/messages/received-messages.js";
import { readObject, type TlObject } from "../telegram/protocol/messages/tl-reader.js";
import { ByteQueue } from "../telegram/protocol/transport/byte-queue.js";

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

interface SchemaLine {
  readonly constructorId: number;
  readonly result: string;
  readonly isFunction: boolean;
  readonly argsConfig: Readonly<Record<string, { isVector: boolean; isFlag: boolean; flagIndicator: boolean; type: string | null }>>;
}

describe("the reader", () => {
  const lines: SchemaLine[] = [...parseTl(apiSchema, "198")];
  const byResult = new Map<string, SchemaLine>();
  // The constructor that needs the fewest other objects stands for its type, so that what is built has an end.
  const needs = (line: SchemaLine) =>
    Object.values(line.argsConfig).filter(({ isVector, isFlag, type }) => !isVector && !isFlag && /^([a-z]+\.)?[A-Z]/.test(type ?? "") && type !== "Bool").length;
  for (const line of lines) {
    const known = byResult.get(line.result);
    if (!line.isFunction && (!known || needs(known) > needs(line))) byResult.set(line.result, line);
  }

  /** An object of that line with every optional field set, or none. */
  function build(line: SchemaLine, withFlags: boolean, inner = false): TlObject {
    const args: Record<string, unknown> = {};
    for (const [name, argument] of Object.entries(line.argsConfig)) {
      if (argument.flagIndicator || (argument.isFlag && !withFlags)) continue;
      const items = argument.isVector && !inner ? [value(argument.type, withFlags), value(argument.type, withFlags)] : [];
      args[name] = argument.isVector ? items : value(argument.type, withFlags);
    }
    return new tlobjects[line.constructorId](args);
  }

  function lineOf(id: number): SchemaLine {
    const line = lines.find(({ constructorId }) => constructorId === id);
    if (!line) throw new Error(`no constructor ${id}`);
    return line;
  }

  function value(type: string | null, withFlags: boolean): unknown {
    switch (type) {
      case "int":
        return -7;
      case "long":
        return bigInt(randomBytes(8).readBigInt64LE(0));
      case "int128":
        return bigInt(-5);
      case "int256":
        return bigInt(2).pow(200);
      case "double":
        return 1.5;
      case "string":
        return "grüße ".repeat(withFlags ? 60 : 1);
      case "bytes":
        return randomBytes(7);
      case "Bool":
      case "true":
        return true;
      case "X":
        return new Api.help.GetConfig();
      default: {
        const line = byResult.get(type ?? "");
        if (!line) throw new Error(`no constructor of ${type}`);
        return build(line, false, true);
      }
    }
  }

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
