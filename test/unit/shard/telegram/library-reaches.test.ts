import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { crc32 as nativeCrc32 } from "node:zlib";
import bigInt from "big-integer";
import { Api } from "telegram";
import { AuthKey } from "telegram/crypto/AuthKey.js";
import { IGE } from "telegram/crypto/IGE.js";
import { MsgWaitError, RPCError } from "telegram/errors/index.js";
import { Logger, type PromisedNetSockets } from "telegram/extensions/index.js";
import { LogLevel } from "telegram/extensions/Logger.js";
import { getByteArray } from "telegram/Helpers.js";
import { ConnectionTCPFull, FullPacketCodec } from "telegram/network/connection/TCPFull.js";
import { MTProtoSender } from "telegram/network/index.js";
import type { MTProtoState } from "telegram/network/MTProtoState.js";
import { RequestState } from "telegram/network/RequestState.js";
import { MessageContainer, RPCResult, TLMessage } from "telegram/tl/core/index.js";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FastIge, installFastCrypto } from "../../../../shard/telegram/network/fast-crypto.js";
import { FullConnection } from "../../../../shard/telegram/network/full-connection.js";
import { installMessageState, FastMessageState } from "../../../../shard/telegram/network/message-state.js";
import { createOwner } from "../../../../shard/telegram/network/open-sender.js";
import { Sender } from "../../../../shard/telegram/network/sender.js";

/**
 * Checks shard/telegram/PATCHES.md: the library calls the replaced functions, and still needs the replacements. Each test says what to do
 * when it fails after an update.
 */
const require = createRequire(import.meta.url);
const helpers = require("telegram/Helpers.js") as { crc32: (bytes: Buffer) => number; modExp: typeof slow.modExp };
const { Factorizator } = require("telegram/crypto/Factorizator.js") as typeof import("telegram/crypto/Factorizator.js");
/** The library's own functions, before anything is replaced. */
const slow = {
  ...(require("telegram/Helpers.js") as typeof import("telegram/Helpers.js")),
  factorize: Factorizator.factorize.bind(Factorizator),
};
const { MTProtoState: LibraryState } = require("telegram/network/MTProtoState.js") as { MTProtoState: typeof MTProtoState };
installFastCrypto();
installMessageState();

afterEach(() => void vi.restoreAllMocks());

const silent = new Logger(LogLevel.NONE);
const owner = createOwner(1, "hash", () => undefined);

describe("checksums, powers and encryption", () => {
  test("the library takes them from where they are replaced", async () => {
    const crc32 = vi.spyOn(helpers, "crc32");
    const encrypt = vi.spyOn(FastIge.prototype, "encryptIge");
    new FullPacketCodec(undefined).encodePacket(Buffer.alloc(40));
    expect(crc32).toHaveBeenCalledOnce();
    const state = new LibraryState(await aKey(), silent);
    await state.encryptMessageData(Buffer.alloc(64));
    expect(encrypt).toHaveBeenCalledOnce();
  });

  test("the library still computes them in JavaScript: without that, drop fast-crypto.ts", () => {
    // Code that reads bytes one by one accepts a proxy; native code rejects one.
    const watched = new Proxy(Buffer.from("checked"), { get: (bytes, name): unknown => Reflect.get(bytes, name, bytes) });
    expect(slow.crc32(watched)).toBe(nativeCrc32("checked"));
    expect(() => nativeCrc32(watched)).toThrow();
    const multiplied = vi.spyOn(Object.getPrototypeOf(bigInt(1)) as { multiply: (by: unknown) => unknown }, "multiply");
    slow.modExp(bigInt(3), bigInt(65_537), bigInt(1_000_003));
    expect(multiplied.mock.calls.length).toBeGreaterThan(16);
    slow.factorize(bigInt(1_009).multiply(1_013));
    expect(multiplied.mock.calls.length).toBeGreaterThan(50);
    const { IGE: scripted } = require(require.resolve("@cryptography/aes", { paths: [require.resolve("telegram")] })) as {
      IGE: new () => unknown;
    };
    expect(Reflect.get(new IGE(randomBytes(32), randomBytes(32)), "ige")).toBeInstanceOf(scripted);
  });
});

describe("messages", () => {
  test("the library's connections read them with ours", async () => {
    const sender = await aSender();
    const state: unknown = Reflect.get(sender, "_state");
    expect(state).toBeInstanceOf(FastMessageState);
    expect(Reflect.get(Object(state), "msgIds")).not.toBeInstanceOf(Array);
  });

  test("the library still copies them and scans a list of ids: without that, drop message-state.ts", async () => {
    const key = await aKey();
    const plain = new LibraryState(key, silent);
    expect(Reflect.get(plain, "msgIds")).toBeInstanceOf(Array);
    const copied = vi.spyOn(Buffer, "concat");
    await plain.decryptMessageData(Buffer.concat([idOf(key), randomBytes(16 + 200_000)])).catch(() => undefined);
    expect(largest(copied)).toBeGreaterThanOrEqual(200_000);
  });
});

describe("packets", () => {
  const packet = (payload: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeInt32LE(payload.length + 12, 0);
    const checked = Buffer.concat([head, payload]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(nativeCrc32(checked));
    return Buffer.concat([checked, sum]);
  };
  /** Reads one packet and returns how much of it was copied. */
  const read = async (codec: FullPacketCodec, payload: Buffer): Promise<{ same: boolean; copied: number }> => {
    let rest = packet(payload);
    const socket = {
      readExactly: (count: number) => {
        const part = rest.subarray(0, count);
        rest = rest.subarray(count);
        return Promise.resolve(part);
      },
    };
    const copied = vi.spyOn(Buffer, "concat");
    const found = await codec.readPacket(socket as unknown as PromisedNetSockets);
    return { same: found.equals(payload), copied: largest(copied) };
  };
  const aConnection = <C extends ConnectionTCPFull>(kind: new (...options: ConstructorParameters<typeof ConnectionTCPFull>) => C): C =>
    new kind({
      ip: "127.0.0.1",
      port: 1,
      dcId: 1,
      loggers: silent,
      socket: (require("telegram/extensions/index.js") as { PromisedNetSockets: typeof PromisedNetSockets }).PromisedNetSockets,
      testServers: false,
    });
  const connection = aConnection(FullConnection);

  test("ours are read without a copy", async () => {
    expect(await read(new connection.PacketCodecClass(connection), randomBytes(100_000))).toEqual({ same: true, copied: 0 });
  });

  test("the library still copies each: without that, drop CheckedPacketCodec", async () => {
    const { same, copied } = await read(new FullPacketCodec(undefined), randomBytes(100_000));
    expect(same).toBe(true);
    expect(copied).toBeGreaterThan(100_000);
  });

  /** Connects to a socket that takes what is written, sends two packets and returns what the socket has before the turn ends. */
  const writtenAtOnce = async (made: Pick<ConnectionTCPFull, "connect" | "send" | "socket">): Promise<readonly Buffer[]> => {
    const written: Buffer[] = [];
    const forever = new Promise<never>(() => undefined);
    Object.assign(made.socket, {
      connect: () => Promise.resolve(),
      readExactly: () => forever,
      write: (bytes: Buffer) => void written.push(bytes),
    });
    await made.connect();
    for (const payload of payloads) void made.send(payload);
    return [...written];
  };
  const payloads = [randomBytes(40), randomBytes(1_000)];

  test("ours are written in the turn of the send, as the library encodes them", async () => {
    const codec = new FullPacketCodec(undefined);
    expect(await writtenAtOnce(aConnection(FullConnection))).toEqual(payloads.map((payload) => codec.encodePacket(payload)));
  });

  test("the library still hands each to a loop: without that, drop send and recv of FullConnection", async () => {
    expect(await writtenAtOnce(aConnection(ConnectionTCPFull))).toEqual([]);
  });
});

describe("calls without a response", () => {
  const queueOf = (sender: MTProtoSender): { prepend: (states: Iterable<unknown>) => void } =>
    Reflect.get(sender, "_sendQueue") as { prepend: (states: Iterable<unknown>) => void };
  const pending = (sender: MTProtoSender): RequestState => {
    const state = new RequestState(new Api.help.GetConfig());
    state.msgId = bigInt(1);
    sender._pendingState.set(state.msgId, state);
    return state;
  };

  test("ours are never repeated: the connection is over", async () => {
    const sender = await aSender();
    pending(sender);
    const prepended = vi.spyOn(queueOf(sender), "prepend");
    sender._userConnected = true;
    sender.reconnect();
    expect(await sender.lost).toBe("lost");
    expect(sender.isReconnecting).toBe(false);
    expect(prepended).not.toHaveBeenCalled();
  });

  test("the library still repeats them on its next connection: without that, drop Sender.reconnect", async () => {
    const sender = await aLibrarySender();
    const state = pending(sender);
    const repeated: unknown[] = [];
    vi.spyOn(queueOf(sender), "prepend").mockImplementation((states) => void repeated.push(...states));
    sender._disconnect = async () => undefined;
    sender.connect = async () => true;
    sender._connection = {} as never;
    await sender._reconnect();
    expect(repeated).toEqual([state]);
  });
});

describe("responses in one container", () => {
  const rpcError = (reqMsgId: bigInt.BigInteger): RPCResult =>
    new RPCResult(reqMsgId, undefined, new Api.RpcError({ errorCode: 400, errorMessage: "PEER_ID_INVALID" }));
  /** Makes two calls whose replies arrive together: an error, then a result. */
  const afterResponses = async (sender: MTProtoSender): Promise<{ thrown: unknown; settled: string[] }> => {
    const calls = [1, 2].map((id) => {
      const state = new RequestState(new Api.help.GetConfig());
      state.msgId = bigInt(id);
      sender._pendingState.set(state.msgId, state);
      return state;
    });
    const settled: string[] = [];
    for (const [index, state] of calls.entries())
      state.promise?.then(
        () => settled.push(`${index} resolved`),
        () => settled.push(`${index} rejected`),
      );
    // Any reply settles the second call. Its bytes are no valid config, so it ends with an error as well.
    const results = [rpcError(bigInt(1)), new RPCResult(bigInt(2), Buffer.alloc(4))];
    const container = new MessageContainer(results.map((result, index) => new TLMessage(bigInt(10 + index), index, result)));
    const thrown: unknown = await sender._processMessage(new TLMessage(bigInt(9), 0, container)).then(
      () => undefined,
      (error: unknown) => error,
    );
    await new Promise((resolve) => setImmediate(resolve));
    return { thrown, settled };
  };

  test("ours are all taken, whatever one of them says", async () => {
    const { thrown, settled } = await afterResponses(await aSender());
    expect(thrown).not.toBeInstanceOf(RPCError);
    expect(settled).toEqual(["0 rejected", "1 rejected"]);
  });

  test("ours are taken by the class: a property set by its name would take 2 KiB of each connection", async () => {
    const sender = await aSender();
    expect(["_processMessage", "_needsInitConnection"].filter((name) => Object.hasOwn(sender, name))).toEqual([]);
  });

  test("the library still drops what stands behind an error: without that, drop Sender.takeWholeContainers", async () => {
    const { thrown, settled } = await afterResponses(await aLibrarySender());
    expect(thrown).toBeInstanceOf(RPCError);
    expect(settled).toEqual(["0 rejected"]);
  });
});

describe("acknowledgements", () => {
  /** Sends one acknowledgement and resolves with those that the sender keeps. */
  const acknowledged = async (sender: MTProtoSender): Promise<RequestState[]> => {
    const sent: unknown[] = [];
    const send = (data: unknown): Promise<void> => {
      sent.push(data);
      sender._userConnected = false;
      return Promise.resolve();
    };
    sender._connection = { send } as never;
    sender._userConnected = true;
    const inside = sender as unknown as { _pendingAck: Set<unknown>; _lastAcks: RequestState[]; _sendLoop(): Promise<void> };
    inside._pendingAck.add(bigInt(5));
    await inside._sendLoop();
    expect(sent).toHaveLength(1);
    return [...inside._lastAcks];
  };

  test("ours are sent, and not kept", async () => {
    expect(await acknowledged(await aSender())).toEqual([]);
  });

  test("the library still keeps them, and does not find one again: without that, drop NoAcks", async () => {
    const sender = await aLibrarySender();
    const [kept] = await acknowledged(sender);
    const id = kept?.msgId;
    if (id === undefined) throw new Error("it is not kept any more");
    expect(kept?.data.buffer.byteLength).toBe(Buffer.poolSize);
    const { _popStates: found } = sender as unknown as { _popStates(this: MTProtoSender, id: bigInt.BigInteger): RequestState[] };
    // An id in the platform's form, read from a message.
    expect(found.call(sender, bigInt(id.toString()))).toEqual([]);
  });
});

test("a key that begins with a zero byte is still a byte short: without that, openSender needs no second try", () => {
  expect(getByteArray(bigInt(256).pow(254))).toHaveLength(255);
});

test("the sandbox's other client still depends on a database driver with an install script: without that, drop the override of better-sqlite3", () => {
  const from = (name: string): { name?: string; dependencies?: Record<string, string> } =>
    JSON.parse(readFileSync(new URL(`../../../../node_modules/${name}/package.json`, import.meta.url), "utf8"));
  expect(from("@mtcute/node").dependencies).toHaveProperty("better-sqlite3");
  expect(from("better-sqlite3").name).toBe("empty-npm-package");
});

describe("errors of a wait for an earlier call", () => {
  test("the library still makes one without code and name of both: without that, drop the last lines of errors.ts", () => {
    const { code, errorMessage } = new MsgWaitError({ request: new Api.messages.SendMessage({}) });
    expect(`${code} ${errorMessage}`).not.toContain("MSG_WAIT");
    expect([400, -503]).not.toContain(code);
  });
});

async function aKey(): Promise<AuthKey> {
  const key = new AuthKey();
  await key.setKey(randomBytes(256));
  return key;
}

function idOf(key: AuthKey): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt.asIntN(64, BigInt(key.keyId?.toString() ?? "0")));
  return bytes;
}

async function aLibrarySender(): Promise<MTProtoSender> {
  return new MTProtoSender(await aKey(), {
    logger: silent,
    dcId: 1,
    client: owner,
    securityChecks: true,
    _exportedSenderPromises: new Map(),
  } as never);
}

async function aSender(): Promise<Sender> {
  return Sender.create({ dcId: 1, main: false, key: randomBytes(256), owner, onKey: () => undefined, onUpdate: () => undefined });
}

/** Returns the size of the largest concatenated buffer in bytes. */
function largest(concat: { mock: { results: readonly { value: unknown }[] } }): number {
  return Math.max(0, ...concat.mock.results.map(({ value }) => (Buffer.isBuffer(value) ? value.length : 0)));
}
