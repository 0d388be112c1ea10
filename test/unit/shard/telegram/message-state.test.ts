import { randomBytes } from "node:crypto";
import bigInt from "big-integer";
import { AuthKey } from "telegram/crypto/AuthKey.js";
import { SecurityError } from "telegram/errors/index.js";
import { Api } from "telegram";
import { describe, expect, test, vi } from "vitest";
import { installMessageState, FastMessageState } from "../../../../shard/telegram/network/message-state.js";
import { openMessage, sealMessage } from "../../../sandbox/telegram/protocol/crypto/message-cipher.js";

const secret = randomBytes(256);
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

async function aState(): Promise<{ state: FastMessageState; keyId: Buffer }> {
  const key = new AuthKey();
  await key.setKey(secret);
  const keyId = Buffer.alloc(8);
  keyId.writeBigInt64LE(BigInt.asIntN(64, BigInt(key.keyId?.toString() ?? "0")));
  return { state: new FastMessageState(key, silent), keyId };
}

const aFile = (bytes: number): Api.upload.File =>
  new Api.upload.File({ type: new Api.storage.FileUnknown(), mtime: 1, bytes: randomBytes(bytes) });
const sealed = (keyId: Buffer, file: Api.upload.File, messageId: bigint): Buffer =>
  sealMessage(secret, keyId, { salt: 1n, sessionId: 2n, messageId, sequence: 3, body: [file.getBytes()] });

describe("FastMessageState", () => {
  const times: number[] = [];
  installMessageState((seconds) => times.push(seconds));

  test.each([16, 4_096, 524_288, 1_048_576])("reads a message with %i bytes as GramJS does", async (bytes) => {
    const { state, keyId } = await aState();
    const file = aFile(bytes);
    const { msgId, obj } = await state.decryptMessageData(sealed(keyId, file, 5_000n));
    expect(msgId.toString()).toBe("5000");
    expect(obj).toBeInstanceOf(Api.upload.File);
    expect((obj as Api.upload.File).bytes.equals(file.bytes)).toBe(true);
  });

  test.each([4, 40, 1_000, 524_288])("writes a message with %i bytes as the platform reads it", async (length) => {
    const { state, keyId } = await aState();
    state.salt = bigInt(-7);
    const body = randomBytes(length);
    const head = Buffer.alloc(16);
    head.writeBigInt64LE(5_001n, 0);
    head.writeInt32LE(9, 8);
    head.writeInt32LE(length, 12);
    const packet = await state.encryptMessageData(Buffer.concat([head, body]));
    expect(packet.subarray(0, 8).equals(keyId)).toBe(true);
    const opened = openMessage(secret, packet, false);
    expect(opened).toMatchObject({ salt: -7n, sessionId: BigInt(String(Reflect.get(state, "id"))), messageId: 5_001n, sequence: 9 });
    expect(opened.body.equals(body)).toBe(true);
  });

  test("gives messages the ids that GramJS gives them, each greater than the last", async () => {
    const theirs = Object.getPrototypeOf(FastMessageState.prototype) as { _getNewMsgId: (this: FastMessageState) => bigInt.BigInteger };
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      for (const offset of [0, 3, -86_400]) {
        const [ours, library] = [(await aState()).state, (await aState()).state];
        [ours.timeOffset, library.timeOffset] = [offset, offset];
        let last = bigInt.zero;
        for (let n = 0; n < 300; n++) {
          // Covers the same millisecond, an earlier one, and other seconds.
          vi.setSystemTime(1_764_126_000_000 + ([0, 0, 1, 999, 1_000, 500, 123_456][n % 7] ?? 0) * (n % 11));
          const id = ours._getNewMsgId();
          expect(id.toString()).toBe(theirs._getNewMsgId.call(library).toString());
          expect(id.greater(last)).toBe(true);
          last = id;
        }
        expect(ours.updateTimeOffset(last)).toBe(library.updateTimeOffset(last));
        expect(ours._getNewMsgId().toString()).toBe(theirs._getNewMsgId.call(library).toString());
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test("reports the time of large messages only", async () => {
    const { state, keyId } = await aState();
    const before = times.length;
    await state.decryptMessageData(sealed(keyId, aFile(1_000), 1n));
    expect(times).toHaveLength(before);
    await state.decryptMessageData(sealed(keyId, aFile(500_000), 2n));
    expect(times).toHaveLength(before + 1);
  });

  test.each([
    ["a changed byte of the text", 300_000],
    ["a changed byte of the message key", 10],
    ["another key's id", 0],
  ])("refuses %s", async (_what, at) => {
    const { state, keyId } = await aState();
    const packet = sealed(keyId, aFile(500_000), 1n);
    packet.writeUInt8(packet.readUInt8(at) ^ 1, at);
    await expect(state.decryptMessageData(packet)).rejects.toBeInstanceOf(SecurityError);
  });

  test.each([1_000, 500_000])("refuses a message with %i bytes that comes again, until 500 others have come", async (bytes) => {
    const { state, keyId } = await aState();
    const packet = sealed(keyId, aFile(bytes), 9n);
    await state.decryptMessageData(Buffer.from(packet));
    await expect(state.decryptMessageData(Buffer.from(packet))).rejects.toThrow("Duplicate msgIds");
    const file = aFile(16);
    for (let id = 1_000n; id < 1_501n; id += 1n) await state.decryptMessageData(sealed(keyId, file, id));
    await expect(state.decryptMessageData(sealed(keyId, file, 1_500n))).rejects.toThrow("Duplicate msgIds");
    await expect(state.decryptMessageData(sealed(keyId, file, 1_000n))).rejects.toThrow("Duplicate msgIds");
    await expect(state.decryptMessageData(Buffer.from(packet))).resolves.toBeDefined();
  });

  test("restarts when it is reset", async () => {
    const { state, keyId } = await aState();
    const packet = sealed(keyId, aFile(16), 9n);
    await state.decryptMessageData(Buffer.from(packet));
    state.reset();
    await expect(state.decryptMessageData(Buffer.from(packet))).resolves.toBeDefined();
  });
});
