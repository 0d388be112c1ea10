/** Server side of the handshake (Noise XX, 25519, AES-GCM, SHA-256), and the resulting ciphers. */
import { createHash, hkdfSync } from "node:crypto";
import { aesDecryptGCM, aesEncryptGCM, NOISE_MODE, NOISE_WA_HEADER, proto } from "@whiskeysockets/baileys";
import { x25519Agreement, x25519KeyPair } from "../crypto/x25519.js";
import { orViolation, ProtocolViolation } from "../violation.js";
import type { ShownCertificate } from "./server-certificate.js";

const none = Buffer.alloc(0);

/** Encrypts both directions of an established connection. Counters start at 0 and never repeat; a wrong one fails to decrypt. */
export class FrameCipher {
  private written = 0;
  private received = 0;

  constructor(
    private readonly writeKey: Buffer,
    private readonly readKey: Buffer,
  ) {}

  encrypt(plain: Uint8Array): Buffer {
    return aesEncryptGCM(plain, this.writeKey, nonce(this.written++), none);
  }

  decrypt(cipher: Buffer): Buffer {
    return orViolation("frame does not decrypt", () => aesDecryptGCM(cipher, this.readKey, nonce(this.received++), none));
  }
}

export interface Handshake {
  readonly payload: proto.ClientPayload;
  /** The client's static key, which proves the device's identity. */
  readonly clientStatic: Buffer;
  readonly cipher: FrameCipher;
}

export class NoiseResponder {
  private hash: Buffer = Buffer.from(NOISE_MODE);
  private salt: Buffer = this.hash;
  private key: Buffer = this.hash;
  private counter = 0;
  private readonly ephemeral = x25519KeyPair();

  constructor(private readonly certificate: ShownCertificate) {
    this.absorb(NOISE_WA_HEADER);
  }

  /** Reads the client's hello and returns the server's. */
  hello(frame: Buffer): Buffer {
    const clientEphemeral = orViolation("hello is not decodable", () => proto.HandshakeMessage.decode(frame).clientHello?.ephemeral);
    if (clientEphemeral?.length !== 32) throw new ProtocolViolation("hello without an ephemeral key");
    const { ephemeral, certificate } = this;
    this.clientEphemeral = Buffer.from(clientEphemeral);
    this.absorb(this.clientEphemeral);
    this.absorb(ephemeral.public);
    this.mix(ephemeral.private, this.clientEphemeral);
    const staticKey = this.encrypt(certificate.staticKey.public);
    this.mix(certificate.staticKey.private, this.clientEphemeral);
    const payload = this.encrypt(certificate.chain);
    return Buffer.from(
      proto.HandshakeMessage.encode({ serverHello: { ephemeral: ephemeral.public, static: staticKey, payload } }).finish(),
    );
  }

  /** Reads the client's last handshake message, which completes both sides' keys. */
  finish(frame: Buffer): Handshake {
    const message = orViolation("handshake is not decodable", () => proto.HandshakeMessage.decode(frame).clientFinish);
    if (!message?.static || !message.payload) throw new ProtocolViolation("handshake without a static key");
    const clientStatic = this.decrypt(Buffer.from(message.static));
    if (clientStatic.length !== 32) throw new ProtocolViolation("wrong length of the static key");
    this.mix(this.ephemeral.private, clientStatic);
    const plain = this.decrypt(Buffer.from(message.payload));
    const payload = orViolation("client payload is not decodable", () => proto.ClientPayload.decode(plain));
    const [readKey, writeKey] = halves(hkdfSync("sha256", none, this.salt, "", 64));
    return { payload, clientStatic, cipher: new FrameCipher(writeKey, readKey) };
  }

  private clientEphemeral: Buffer = none;

  private absorb(bytes: Uint8Array): void {
    this.hash = createHash("sha256").update(this.hash).update(bytes).digest();
  }

  private mix(privateKey: Uint8Array, publicKey: Buffer): void {
    const secret = orViolation("unusable public key", () => x25519Agreement(privateKey, publicKey));
    [this.salt, this.key] = halves(hkdfSync("sha256", secret, this.salt, "", 64));
    this.counter = 0;
  }

  private encrypt(plain: Uint8Array): Buffer {
    const cipher = aesEncryptGCM(plain, this.key, nonce(this.counter++), this.hash);
    this.absorb(cipher);
    return cipher;
  }

  private decrypt(cipher: Buffer): Buffer {
    const plain = orViolation("handshake does not decrypt", () => aesDecryptGCM(cipher, this.key, nonce(this.counter++), this.hash));
    this.absorb(cipher);
    return plain;
  }
}

function halves(bytes: ArrayBuffer): [Buffer, Buffer] {
  return [Buffer.from(bytes, 0, 32), Buffer.from(bytes, 32, 32)];
}

/** 8 zero bytes and the counter. */
function nonce(counter: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(counter, 8);
  return bytes;
}
