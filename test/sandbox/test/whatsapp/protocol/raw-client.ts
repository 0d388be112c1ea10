/** A client that follows the protocol only as far as a test requires. */
import { createHash, hkdfSync } from "node:crypto";
import { connect, type Socket } from "node:net";
import {
  aesDecryptGCM,
  aesEncryptGCM,
  type BinaryNode,
  Curve,
  encodeBinaryNode,
  type KeyPair,
  NOISE_MODE,
  NOISE_WA_HEADER,
  proto,
} from "@whiskeysockets/baileys";
import { WebSocket } from "undici";
import { decodeNode } from "../../../whatsapp/protocol/transport/node-codec.js";
import type { WhatsAppProtocolServer } from "../../../whatsapp/protocol/protocol-server.js";

export class RawClient {
  readonly closed: Promise<void>;
  private readonly messages: Buffer[] = [];
  private waiting: (() => void) | undefined;
  private ended = false;
  private readonly ephemeral = Curve.generateKeyPair();
  private hash: Buffer = Buffer.from(NOISE_MODE);
  private salt: Buffer = this.hash;
  private key: Buffer = this.hash;
  private counter = 0;
  private readKey: Buffer = this.hash;
  private written = 0;
  private read = 0;

  private constructor(private readonly webSocket: WebSocket) {
    webSocket.binaryType = "arraybuffer";
    webSocket.addEventListener("message", ({ data }) => {
      this.messages.push(Buffer.from(data));
      this.waiting?.();
    });
    this.closed = new Promise((resolve) =>
      webSocket.addEventListener("close", () => {
        this.ended = true;
        this.waiting?.();
        resolve();
      }),
    );
  }

  static async open(server: WhatsAppProtocolServer): Promise<RawClient> {
    const webSocket = new WebSocket(server.url);
    const client = new RawClient(webSocket);
    await new Promise<void>((resolve, reject) => {
      webSocket.addEventListener("open", () => resolve());
      webSocket.addEventListener("error", () => reject(new Error("refused")));
    });
    return client;
  }

  /** Opens a TCP connection that never requests a WebSocket. */
  static tcp(server: WhatsAppProtocolServer): Socket {
    const { hostname, port } = new URL(server.url);
    return connect(Number(port), hostname);
  }

  write(bytes: Buffer | string): void {
    this.webSocket.send(bytes);
  }

  frame(payload: Uint8Array): void {
    this.write(framed(payload));
  }

  /** Returns the next message, or undefined when the connection is closed. */
  async message(): Promise<Buffer | undefined> {
    while (this.messages.length === 0 && !this.ended) await new Promise<void>((resolve) => (this.waiting = resolve));
    return this.messages.shift();
  }

  close(): void {
    this.webSocket.close();
  }

  /** Sends the client's hello and reads the server's. */
  async hello(): Promise<void> {
    this.absorb(NOISE_WA_HEADER);
    this.absorb(this.ephemeral.public);
    const hello = proto.HandshakeMessage.encode({ clientHello: { ephemeral: this.ephemeral.public } }).finish();
    this.write(Buffer.concat([NOISE_WA_HEADER, framed(hello)]));
    const answer = await this.message();
    if (!answer) throw new Error("no server hello");
    const { serverHello } = proto.HandshakeMessage.decode(answer.subarray(3));
    const ephemeral = Buffer.from(serverHello?.ephemeral ?? []);
    this.absorb(ephemeral);
    this.mix(this.ephemeral, ephemeral);
    const staticKey = this.decrypt(Buffer.from(serverHello?.static ?? []));
    this.mix(this.ephemeral, staticKey);
    this.decrypt(Buffer.from(serverHello?.payload ?? []));
    this.serverEphemeral = ephemeral;
  }

  /** Completes the handshake with this payload. */
  finish(payload: Uint8Array, noiseKey: KeyPair): void {
    const sealed = this.encrypt(noiseKey.public);
    this.mix(noiseKey, this.serverEphemeral);
    this.frame(proto.HandshakeMessage.encode({ clientFinish: { static: sealed, payload: this.encrypt(payload) } }).finish());
    const keys = hkdfSync("sha256", Buffer.alloc(0), this.salt, "", 64);
    this.key = Buffer.from(keys, 0, 32);
    this.readKey = Buffer.from(keys, 32, 32);
  }

  /** Returns the server's next stanza, or undefined when the connection is closed. */
  async nextStanza(): Promise<BinaryNode | undefined> {
    const message = await this.message();
    return message && decodeNode(aesDecryptGCM(message.subarray(3), this.readKey, nonce(this.read++), Buffer.alloc(0)));
  }

  stanza(node: BinaryNode): void {
    this.sealed(encodeBinaryNode(node));
  }

  /** Encrypts a frame after the handshake; `skip` leaves out counters. */
  sealed(plain: Buffer, skip = 0): void {
    this.written += skip;
    this.frame(aesEncryptGCM(plain, this.key, nonce(this.written++), Buffer.alloc(0)));
  }

  private serverEphemeral = Buffer.alloc(0);

  private absorb(bytes: Uint8Array): void {
    this.hash = createHash("sha256").update(this.hash).update(bytes).digest();
  }

  private mix({ private: privateKey }: KeyPair, publicKey: Buffer): void {
    const bytes = hkdfSync("sha256", Curve.sharedKey(privateKey, publicKey), this.salt, "", 64);
    this.salt = Buffer.from(bytes, 0, 32);
    this.key = Buffer.from(bytes, 32, 32);
    this.counter = 0;
  }

  private encrypt(plain: Uint8Array): Buffer {
    const cipher = aesEncryptGCM(plain, this.key, nonce(this.counter++), this.hash);
    this.absorb(cipher);
    return cipher;
  }

  private decrypt(cipher: Buffer): Buffer {
    const plain = aesDecryptGCM(cipher, this.key, nonce(this.counter++), this.hash);
    this.absorb(cipher);
    return plain;
  }
}

export function framed(payload: Uint8Array): Buffer {
  const head = Buffer.alloc(3);
  head.writeUIntBE(payload.length, 0, 3);
  return Buffer.concat([head, payload]);
}

function nonce(counter: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(counter, 8);
  return bytes;
}
