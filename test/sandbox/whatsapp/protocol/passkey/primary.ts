/**
 * The phone's side of one linking by passkey: its ephemeral identity, the code that both sides compute, and the companion's final request.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { aesDecryptGCM, Curve, proto } from "@whiskeysockets/baileys";
import { sha256 } from "./passkey.js";

/** A companion's decoded `prologue_payload`. */
export interface Prologue {
  /** The encoded identity that the commitment covers. */
  readonly identity: Buffer;
  readonly publicKey: Buffer;
  readonly deviceType: number;
  readonly ref: string;
  readonly commitment: Buffer;
}

/** Throws when the payload is malformed. */
export function readPrologue(payload: Buffer): Prologue {
  const { companionEphemeralIdentity, commitment } = proto.ProloguePayload.decode(payload);
  const identity = Buffer.from(companionEphemeralIdentity ?? []);
  const { publicKey, deviceType, ref } = proto.CompanionEphemeralIdentity.decode(identity);
  const hash = Buffer.from(commitment?.hash ?? []);
  if (publicKey?.length !== 32 || hash.length !== 32 || typeof deviceType !== "number" || typeof ref !== "string")
    throw new RangeError("incomplete prologue");
  return { identity, publicKey: Buffer.from(publicKey), deviceType, ref, commitment: hash };
}

/** Returns whether the companion proves that it has the secret of the scanned or typed code. */
export function isHandoffProof(proof: Buffer, advSecret: Buffer, payload: Buffer): boolean {
  const key = Buffer.from(hkdfSync("sha256", advSecret, Buffer.alloc(0), "shortcake-passkey-handoff-v1", 32));
  const right = createHmac("sha256", key).update(payload).digest();
  return proof.length === right.length && timingSafeEqual(proof, right);
}

export interface PairingKeys {
  readonly noiseKey: Buffer;
  readonly identity: Buffer;
  readonly advSecret: Buffer;
}

export class PrimarySide {
  private readonly ephemeral = Curve.generateKeyPair();
  private readonly nonce = randomBytes(32);

  constructor(private readonly prologue: Prologue) {}

  /** Returns the content of `primary_ephemeral_identity`. */
  get identity(): Buffer {
    return Buffer.from(proto.PrimaryEphemeralIdentity.encode({ publicKey: this.ephemeral.public, nonce: this.nonce }).finish());
  }

  isCommitted(companionNonce: Buffer): boolean {
    return companionNonce.length === 32 && sha256(Buffer.concat([this.prologue.identity, companionNonce])).equals(this.prologue.commitment);
  }

  /** Returns the eight characters that the phone shows. */
  code(companionNonce: Buffer): string {
    const digest = sha256(Buffer.concat([companionNonce, this.ephemeral.public]));
    const bits = Array.from({ length: 5 }, (_, i) => ((this.nonce[i] ?? 0) ^ (digest[i] ?? 0)).toString(2).padStart(8, "0")).join("");
    const text = Array.from({ length: 8 }, (_, i) => alphabet[parseInt(bits.slice(5 * i, 5 * i + 5), 2)]).join("");
    return `${text.slice(0, 4)}-${text.slice(4)}`;
  }

  /** Decrypts the companion's final request. Throws when it does not decrypt. */
  open(encrypted: Buffer): PairingKeys {
    const { encryptedPayload, iv } = proto.EncryptedPairingRequest.decode(encrypted);
    if (iv?.length !== 12) throw new RangeError("an IV has 12 bytes");
    const { publicKey, deviceType, ref } = this.prologue;
    const shared = Curve.sharedKey(this.ephemeral.private, publicKey);
    const salt = `Companion Pairing ${deviceType} with ref ${ref}`;
    const key = Buffer.from(hkdfSync("sha256", shared, salt, "Pairing Information Encryption Key", 32));
    const plain = aesDecryptGCM(encryptedPayload ?? Buffer.alloc(0), key, iv, Buffer.alloc(0));
    const request = proto.PairingRequest.decode(plain);
    const keys = [request.companionPublicKey, request.companionIdentityKey, request.advSecret].map((bytes) => Buffer.from(bytes ?? []));
    const [noiseKey, identity, advSecret] = keys;
    if (!noiseKey || !identity || !advSecret || keys.some(({ length }) => length !== 32))
      throw new RangeError("incomplete pairing request");
    return { noiseKey, identity, advSecret };
  }
}

/** Omits 0, I, O and U. */
const alphabet = "123456789ABCDEFGHJKLMNPQRSTVWXYZ";
