/**
 * The server side of the key exchange: req_pq_multi -> resPQ, req_DH_params -> server_DH_params_ok, set_client_DH_params -> dh_gen_ok. It
 * may restart at any step: GramJS does so for keys with a leading zero byte, which it hashes wrongly.
 */
import { randomBytes } from "node:crypto";
import { Api } from "telegram";
import { readBigIntFromBuffer, toSignedLittleBuffer } from "telegram/Helpers.js";
import { KeyRecord } from "./auth-key.js";
import { type DiffieHellman, type Exponent, generator, prime } from "./crypto/diffie-hellman.js";
import { sha1 } from "./crypto/digest.js";
import { decryptIge, encryptIge } from "./crypto/ige.js";
import { readInnerData } from "./crypto/inner-data.js";
import type { ServerRsa } from "./crypto/server-rsa.js";
import type { KeyStore } from "./key-store.js";
import { readObject, type TlObject } from "./messages/tl-reader.js";
import { ProtocolViolation } from "./violation.js";

/** Tools that all exchanges share. */
export interface ExchangeTools {
  readonly rsa: ServerRsa;
  readonly diffieHellman: DiffieHellman;
  readonly keys: KeyStore;
  seconds(): number;
  onKey(key: KeyRecord): void;
}

/** The client requested a key of another data centre. The server sends transport error 444. */
export class WrongDataCentre extends ProtocolViolation {}

/** Factors of pq. An even product is the fastest for clients to factorise, and pq has no other purpose here. */
const p = 2;
const q = 1_000_000_007;
const pq = numberBytes(BigInt(p) * BigInt(q));

type Step =
  | { readonly kind: "idle" }
  | { readonly kind: "pq"; readonly nonce: Buffer; readonly serverNonce: Buffer }
  | {
      readonly kind: "dh";
      readonly nonce: Buffer;
      readonly serverNonce: Buffer;
      readonly newNonce: Buffer;
      readonly exponent: Exponent;
      readonly key: Buffer;
      readonly iv: Buffer;
      /** Zero, or the auxiliary hash of the key that was rejected before. */
      readonly retryId: Buffer;
    };

export class KeyExchange {
  private step: Step = { kind: "idle" };
  /** The last key of this exchange. It is dropped if the client restarts without having used it. */
  private made: KeyRecord | undefined;

  constructor(
    private readonly dcId: number,
    private readonly tools: ExchangeTools,
  ) {}

  /** Returns the response to one unencrypted request. */
  answer(body: Buffer): TlObject {
    const { object, end } = readObject(body);
    if (end !== body.length) throw new ProtocolViolation("surplus bytes in an unencrypted message");
    if (object instanceof Api.ReqPqMulti || object instanceof Api.ReqPq) return this.offerPq(object);
    if (object instanceof Api.ReqDHParams) return this.offerParameters(object);
    if (object instanceof Api.SetClientDHParams) return this.finish(object);
    throw new ProtocolViolation(`unencrypted ${object.className}`);
  }

  private offerPq(request: Api.ReqPqMulti | Api.ReqPq): TlObject {
    if (this.made && this.tools.keys.isUnused(this.made)) this.tools.keys.drop(this.made.id);
    this.made = undefined;
    const nonce = toSignedLittleBuffer(request.nonce, 16);
    const serverNonce = randomBytes(16);
    this.step = { kind: "pq", nonce, serverNonce };
    const fingerprint = readBigIntFromBuffer(numberBytes(BigInt.asUintN(64, BigInt(this.tools.rsa.publicKey.fingerprint)), 8), false, true);
    return new Api.ResPQ({ nonce: request.nonce, serverNonce: large(serverNonce), pq, serverPublicKeyFingerprints: [fingerprint] });
  }

  private offerParameters(request: Api.ReqDHParams): TlObject {
    const { step } = this;
    if (step.kind !== "pq") throw new ProtocolViolation("req_DH_params out of turn");
    checkNonces(request, step);
    if (request.publicKeyFingerprint.toString() !== this.tools.rsa.publicKey.fingerprint)
      throw new ProtocolViolation("unknown key fingerprint");
    if (!request.p.equals(numberBytes(BigInt(p))) || !request.q.equals(numberBytes(BigInt(q))))
      throw new ProtocolViolation("wrong factors");
    const inner = readInnerData(this.tools.rsa.decrypt(request.encryptedData));
    const newNonce = this.checkInner(inner, step);
    const exponent = this.tools.diffieHellman.exponent();
    const { key, iv } = temporaryKeys(step.serverNonce, newNonce);
    this.step = { ...step, kind: "dh", newNonce, exponent, key, iv, retryId: Buffer.alloc(8) };
    const { nonce, serverNonce } = request;
    const answer = { nonce, serverNonce, g: generator, dhPrime: prime, gA: exponent.publicValue, serverTime: this.tools.seconds() };
    const plain = withHash(new Api.ServerDHInnerData(answer).getBytes());
    encryptIge(key, iv, plain, plain);
    return new Api.ServerDHParamsOk({ nonce, serverNonce, encryptedAnswer: plain });
  }

  private checkInner(inner: TlObject, step: Step & { kind: "pq" }): Buffer {
    if (inner instanceof Api.PQInnerDataTemp || inner instanceof Api.PQInnerDataTempDc)
      throw new ProtocolViolation("temporary keys are not offered");
    if (!(inner instanceof Api.PQInnerData || inner instanceof Api.PQInnerDataDc))
      throw new ProtocolViolation(`inner data is ${inner.className}`);
    checkNonces(inner, step);
    if (!inner.pq.equals(pq)) throw new ProtocolViolation("wrong pq");
    // Clients add 10,000 for test servers and negate the number for media servers.
    if (inner instanceof Api.PQInnerDataDc && Math.abs(inner.dc) % 10_000 !== this.dcId)
      throw new WrongDataCentre(`key for data centre ${inner.dc}`);
    return toSignedLittleBuffer(inner.newNonce, 32);
  }

  private finish(request: Api.SetClientDHParams): TlObject {
    const { step } = this;
    if (step.kind !== "dh") throw new ProtocolViolation("set_client_DH_params out of turn");
    checkNonces(request, step);
    const inner = this.readClientData(request.encryptedData, step);
    const authKey = this.tools.diffieHellman.secret(step.exponent, inner.gB);
    const { nonce, serverNonce } = request;
    const record = new KeyRecord(this.dcId, authKey, firstSalt(step.newNonce, step.serverNonce));
    if (this.tools.keys.has(record.id)) {
      this.step = { ...step, retryId: record.auxHash };
      return new Api.DhGenRetry({ nonce, serverNonce, newNonceHash2: large(newNonceHash(step.newNonce, 2, record.auxHash)) });
    }
    this.step = { kind: "idle" };
    this.made = record;
    this.tools.keys.add(record);
    this.tools.onKey(record);
    return new Api.DhGenOk({ nonce, serverNonce, newNonceHash1: large(newNonceHash(step.newNonce, 1, record.auxHash)) });
  }

  private readClientData(encrypted: Buffer, step: Step & { kind: "dh" }): Api.ClientDHInnerData {
    if (encrypted.length < 32 || encrypted.length % 16 !== 0) throw new ProtocolViolation("encrypted data of the wrong length");
    const plain = decryptIge(step.key, step.iv, encrypted);
    const { object, end } = readObject(plain.subarray(20));
    const surplus = plain.length - 20 - end;
    if (!(object instanceof Api.ClientDHInnerData) || surplus > 15) throw new ProtocolViolation(`inner data is ${object.className}`);
    if (!sha1(plain.subarray(20, 20 + end)).equals(plain.subarray(0, 20))) throw new ProtocolViolation("inner data with a wrong hash");
    checkNonces(object, step);
    if (!toSignedLittleBuffer(object.retryId, 8).equals(step.retryId)) throw new ProtocolViolation("wrong retry id");
    return object;
  }
}

/** Returns a number in GramJS's form of 128-bit fields. */
function large(bytes: Buffer): Api.int128 {
  return readBigIntFromBuffer(bytes, true, true);
}

function checkNonces(message: { nonce: Api.int128; serverNonce: Api.int128 }, step: { nonce: Buffer; serverNonce: Buffer }): void {
  if (!toSignedLittleBuffer(message.nonce, 16).equals(step.nonce)) throw new ProtocolViolation("wrong nonce");
  if (!toSignedLittleBuffer(message.serverNonce, 16).equals(step.serverNonce)) throw new ProtocolViolation("wrong server nonce");
}

function temporaryKeys(serverNonce: Buffer, newNonce: Buffer): { key: Buffer; iv: Buffer } {
  const a = sha1(newNonce, serverNonce);
  const b = sha1(serverNonce, newNonce);
  return {
    key: Buffer.concat([a, b.subarray(0, 12)]),
    iv: Buffer.concat([b.subarray(12, 20), sha1(newNonce, newNonce), newNonce.subarray(0, 4)]),
  };
}

/** Returns the response after its hash, padded to whole blocks. */
function withHash(answer: Buffer): Buffer {
  const padding = randomBytes((16 - ((20 + answer.length) % 16)) % 16);
  return Buffer.concat([sha1(answer), answer, padding]);
}

function newNonceHash(newNonce: Buffer, step: 1 | 2, auxHash: Buffer): Buffer {
  return sha1(newNonce, Buffer.from([step]), auxHash).subarray(4, 20);
}

function firstSalt(newNonce: Buffer, serverNonce: Buffer): bigint {
  return newNonce.readBigInt64LE(0) ^ serverNonce.readBigInt64LE(0);
}

/** Returns big-endian bytes, without leading zeros unless a length is given. */
function numberBytes(value: bigint, length?: number): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(length === undefined ? hex.length + (hex.length % 2) : length * 2, "0"), "hex");
}
