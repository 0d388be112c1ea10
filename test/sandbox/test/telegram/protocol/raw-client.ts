import {
  constants,
  createCipheriv,
  createDiffieHellman,
  createHash,
  createPublicKey,
  type DiffieHellman,
  type KeyObject,
  publicEncrypt,
  randomBytes,
} from "node:crypto";
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { crc32 } from "node:zlib";
import { Api } from "telegram";
import { IGE } from "telegram/crypto/IGE.js";
import { BinaryReader } from "telegram/extensions/index.js";
import { readBigIntFromBuffer, toSignedLittleBuffer } from "telegram/Helpers.js";
import type { TelegramProtocolServer } from "../../../telegram/protocol/protocol-server.js";
import { present } from "../../../telegram/tl/present.js";

/** Created once because it checks the prime, which all exchanges share. */
let halfExchange: DiffieHellman | undefined;

export interface RawKey {
  readonly authKey: Buffer;
  readonly salt: bigint;
}

export interface RawMessage {
  readonly messageId: bigint;
  readonly sequence: number;
  readonly body: Buffer;
}

interface Envelope {
  salt?: bigint;
  messageId?: bigint;
  sequence?: number;
  sessionId?: bigint;
}

/**
 * A client that sends exactly the bytes of a test, valid or not, in full framing. It follows the protocol's documents and shares no code
 * with the server.
 */
export class RawClient {
  closed = false;
  sessionId = randomBytes(8).readBigInt64LE(0);
  private sent = 0;
  private content = 0;
  private lastId = 0n;
  private received = Buffer.alloc(0);
  private readonly packets: Buffer[] = [];
  private wake: () => void = () => {};

  private constructor(
    readonly socket: Socket,
    private readonly server: TelegramProtocolServer,
  ) {
    socket.on("data", (bytes) => {
      this.received = Buffer.concat([this.received, bytes]);
      while (this.received.length >= 4 && this.received.length >= this.received.readUInt32LE(0)) {
        const length = this.received.readUInt32LE(0);
        this.packets.push(this.received.subarray(8, length - 4));
        this.received = this.received.subarray(length);
      }
      this.wake();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      this.closed = true;
      this.wake();
    });
  }

  static async connect(server: TelegramProtocolServer, options: { dcId?: number; localAddress?: string } = {}): Promise<RawClient> {
    const address = server.addresses.find(({ id }) => id === (options.dcId ?? 1));
    if (!address) throw new Error("no such data centre");
    const socket = createConnection({ host: address.host, port: address.port, localAddress: options.localAddress });
    await once(socket, "connect");
    return new RawClient(socket, server);
  }

  /** Returns a packet with correct length, number and checksum. */
  frame(payload: Buffer): Buffer {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(payload.length + 12, 0);
    head.writeUInt32LE(this.sent++, 4);
    const tail = Buffer.alloc(4);
    tail.writeUInt32LE(crc32(Buffer.concat([head, payload])), 0);
    return Buffer.concat([head, payload, tail]);
  }

  write(payload: Buffer): void {
    this.socket.write(this.frame(payload));
  }

  /** Returns the next packet, or undefined when the server closed the connection. */
  async packet(): Promise<Buffer | undefined> {
    const deadline = Date.now() + 5_000;
    for (;;) {
      const packet = this.packets.shift();
      if (packet) return packet;
      if (this.closed) return undefined;
      if (Date.now() > deadline) throw new Error("no packet within 5 s");
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, 5_000).unref();
      });
    }
  }

  plain(object: { getBytes(): Buffer }): void {
    const body = object.getBytes();
    const head = Buffer.alloc(20);
    head.writeBigInt64LE(this.nextId(), 8);
    head.writeUInt32LE(body.length, 16);
    this.write(Buffer.concat([head, body]));
  }

  private async plainAnswer(): Promise<unknown> {
    const packet = await this.packet();
    return packet && new BinaryReader(packet.subarray(20)).tgReadObject();
  }

  /** Runs the key exchange; `tamper` changes sent values. Returns undefined when the server closed the connection. */
  async makeKey(
    tamper: { dc?: number; old?: boolean; temporary?: boolean; serverNonce?: boolean; hash?: boolean; retryId?: number; b?: Buffer } = {},
  ): Promise<RawKey | undefined> {
    const nonce = readBigIntFromBuffer(randomBytes(16), true, true);
    this.plain(new Api.ReqPqMulti({ nonce }));
    const resPq = await this.plainAnswer();
    if (!(resPq instanceof Api.ResPQ)) return undefined;
    const serverNonce = tamper.serverNonce ? nonce : resPq.serverNonce;
    const newNonce = randomBytes(32);
    const p = Buffer.from([2]);
    const q = Buffer.from((BigInt(`0x${resPq.pq.toString("hex")}`) / 2n).toString(16).padStart(8, "0"), "hex");
    const inner = { pq: resPq.pq, p, q, nonce, serverNonce, newNonce: readBigIntFromBuffer(newNonce, true, true), dc: tamper.dc ?? 1 };
    const data = tamper.temporary
      ? new Api.PQInnerDataTempDc({ ...inner, expiresIn: 60 })
      : tamper.old
        ? new Api.PQInnerData(inner)
        : new Api.PQInnerDataDc(inner);
    const encryptedData = tamper.old
      ? this.rsaHash(data.getBytes(), tamper.hash === true)
      : this.rsaPad(data.getBytes(), tamper.hash === true);
    const [publicKeyFingerprint] = resPq.serverPublicKeyFingerprints;
    this.plain(new Api.ReqDHParams(present({ nonce, serverNonce, p, q, publicKeyFingerprint, encryptedData })));
    const packet = await this.packet();
    if (!packet || packet.length < 20) return undefined;
    const parameters = new BinaryReader(packet.subarray(20)).tgReadObject();
    if (!(parameters instanceof Api.ServerDHParamsOk)) return undefined;
    return await this.finishKey(nonce, toSignedLittleBuffer(serverNonce, 16), newNonce, parameters.encryptedAnswer, tamper);
  }

  private async finishKey(
    nonce: Api.int128,
    serverNonce: Buffer,
    newNonce: Buffer,
    answer: Buffer,
    tamper: { retryId?: number; b?: Buffer },
  ): Promise<RawKey | undefined> {
    const [a, b] = [sha1(newNonce, serverNonce), sha1(serverNonce, newNonce)];
    const key = Buffer.concat([a, b.subarray(0, 12)]);
    const iv = Buffer.concat([b.subarray(12), sha1(newNonce, newNonce), newNonce.subarray(0, 4)]);
    const parameters = new BinaryReader(new IGE(key, iv).decryptIge(answer).subarray(20)).tgReadObject();
    const half = (halfExchange ??= createDiffieHellman(parameters.dhPrime, parameters.g));
    half.setPrivateKey(tamper.b ?? randomBytes(256));
    const gB = half.generateKeys();
    const numbers = { nonce, serverNonce: readBigIntFromBuffer(serverNonce, true, true) };
    const inner = new Api.ClientDHInnerData({
      ...numbers,
      retryId: readBigIntFromBuffer(Buffer.from([tamper.retryId ?? 0, 0, 0, 0, 0, 0, 0, 0])),
      gB,
    }).getBytes();
    this.plain(
      new Api.SetClientDHParams({ ...numbers, encryptedData: new IGE(key, iv).encryptIge(padTo16(Buffer.concat([sha1(inner), inner]))) }),
    );
    const done = await this.plainAnswer();
    if (!(done instanceof Api.DhGenOk)) return undefined;
    const shared = half.computeSecret(parameters.gA);
    const authKey = Buffer.concat([Buffer.alloc(256 - shared.length), shared]);
    const expected = sha1(newNonce, Buffer.from([1]), sha1(authKey).subarray(0, 8)).subarray(4);
    if (!toSignedLittleBuffer(done.newNonceHash1, 16).equals(expected)) throw new Error("wrong hash of the new nonce");
    return { authKey, salt: newNonce.readBigInt64LE(0) ^ serverNonce.readBigInt64LE(0) };
  }

  /** Padding of clients before 2021: SHA-1, data and random bytes, 255 in total. */
  private rsaHash(data: Buffer, wrongHash: boolean): Buffer {
    const block = Buffer.concat([Buffer.alloc(1), wrongHash ? randomBytes(20) : sha1(data), data, randomBytes(235 - data.length)]);
    return publicEncrypt({ key: this.publicKey(), padding: constants.RSA_NO_PADDING }, block);
  }

  private publicKey(): KeyObject {
    const { n, e } = this.server.publicKey;
    const encode = (value: bigint) => Buffer.from(value.toString(16).padStart(6, "0"), "hex").toString("base64url");
    return createPublicKey({ format: "jwk", key: { kty: "RSA", n: encode(BigInt(n)), e: encode(BigInt(e)) } });
  }

  private rsaPad(data: Buffer, wrongHash: boolean): Buffer {
    const { n } = this.server.publicKey;
    const key = this.publicKey();
    for (;;) {
      const padded = Buffer.concat([data, randomBytes(192 - data.length)]);
      const temporary = randomBytes(32);
      const hash = wrongHash ? randomBytes(32) : sha256(temporary, padded);
      const envelope = new IGE(temporary, Buffer.alloc(32)).encryptIge(Buffer.concat([Buffer.from(padded).reverse(), hash]));
      const mask = sha256(envelope);
      const block = Buffer.concat([Buffer.from(temporary.map((byte, index) => byte ^ (mask[index] ?? 0))), envelope]);
      if (BigInt(`0x${block.toString("hex")}`) < BigInt(n)) return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, block);
    }
  }

  nextId(): bigint {
    const now = Date.now();
    const id = (BigInt(Math.floor(now / 1_000)) << 32n) | ((BigInt(now % 1_000) * 4_294_967n) & ~3n);
    this.lastId = id > this.lastId ? id : this.lastId + 4n;
    return this.lastId;
  }

  nextSequence(content: boolean): number {
    return content ? this.content++ * 2 + 1 : this.content * 2;
  }

  seal(key: RawKey, body: Buffer, envelope: Envelope = {}): Buffer {
    const head = Buffer.alloc(32);
    head.writeBigInt64LE(envelope.salt ?? key.salt, 0);
    head.writeBigInt64LE(envelope.sessionId ?? this.sessionId, 8);
    head.writeBigInt64LE(envelope.messageId ?? this.nextId(), 16);
    head.writeInt32LE(envelope.sequence ?? this.nextSequence(true), 24);
    head.writeUInt32LE(body.length, 28);
    const data = padTo16(Buffer.concat([head, body, randomBytes(12)]));
    const messageKey = sha256(key.authKey.subarray(88, 120), data).subarray(8, 24);
    return Buffer.concat([sha1(key.authKey).subarray(12), messageKey, ige(key, messageKey, 0).encryptIge(data)]);
  }

  say(key: RawKey, object: { getBytes(): Buffer } | Buffer, envelope?: Envelope): void {
    this.write(this.seal(key, Buffer.isBuffer(object) ? object : object.getBytes(), envelope));
  }

  /** Returns the server's next message. */
  async message(key: RawKey): Promise<RawMessage | undefined> {
    const packet = await this.packet();
    if (!packet) return undefined;
    if (packet.length === 4) throw new Error(`transport error ${packet.readInt32LE(0)}`);
    const messageKey = packet.subarray(8, 24);
    const data = ige(key, messageKey, 8).decryptIge(packet.subarray(24));
    if (!sha256(key.authKey.subarray(96, 128), data).subarray(8, 24).equals(messageKey)) throw new Error("wrong message key");
    const length = data.readUInt32LE(28);
    const padding = data.length - 32 - length;
    if (padding < 12 || padding > 1_024 || length % 4 !== 0) throw new Error("wrong padding");
    if (data.readBigInt64LE(8) !== this.sessionId) throw new Error("wrong session");
    return { messageId: data.readBigInt64LE(16), sequence: data.readInt32LE(24), body: data.subarray(32, 32 + length) };
  }

  /** Returns the next message as an object. */
  async object(key: RawKey): Promise<unknown> {
    const message = await this.message(key);
    return message && new BinaryReader(message.body).tgReadObject();
  }

  /** Reads messages up to the first one that `wanted` accepts. */
  async until(key: RawKey, wanted: (body: Buffer) => boolean): Promise<RawMessage | undefined> {
    for (let message = await this.message(key); message; message = await this.message(key)) if (wanted(message.body)) return message;
    return undefined;
  }

  close(): void {
    this.socket.destroy();
  }
}

export function container(messages: readonly { id: bigint; sequence: number; body: Buffer }[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x73f1f8dc, 0);
  head.writeUInt32LE(messages.length, 4);
  const parts = messages.map(({ id, sequence, body }) => {
    const one = Buffer.alloc(16);
    one.writeBigInt64LE(id, 0);
    one.writeInt32LE(sequence, 8);
    one.writeUInt32LE(body.length, 12);
    return Buffer.concat([one, body]);
  });
  return Buffer.concat([head, ...parts]);
}

/** Returns the first 64 bytes of an obfuscated stream with that tag. */
export function obfuscatedStart(tag: number): Buffer {
  const start = randomBytes(64);
  start[0] = 0x11;
  start.writeUInt32LE(tag, 56);
  const encrypted = createCipheriv("aes-256-ctr", start.subarray(8, 40), start.subarray(40, 56)).update(start);
  return Buffer.concat([start.subarray(0, 56), encrypted.subarray(56)]);
}

function ige(key: RawKey, messageKey: Buffer, x: number): IGE {
  const a = sha256(messageKey, key.authKey.subarray(x, x + 36));
  const b = sha256(key.authKey.subarray(40 + x, 76 + x), messageKey);
  return new IGE(
    Buffer.concat([a.subarray(0, 8), b.subarray(8, 24), a.subarray(24, 32)]),
    Buffer.concat([b.subarray(0, 8), a.subarray(8, 24), b.subarray(24, 32)]),
  );
}

function padTo16(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, randomBytes((16 - (bytes.length % 16)) % 16)]);
}

function sha1(...parts: Buffer[]): Buffer {
  return createHash("sha1").update(Buffer.concat(parts)).digest();
}

function sha256(...parts: Buffer[]): Buffer {
  return createHash("sha256").update(Buffer.concat(parts)).digest();
}
