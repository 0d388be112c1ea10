import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import { randomNonce } from "./random-nonce.js";

/**
 * Seals with AES-256-GCM under one key of a ring `id:base64,id:base64`; all keys decrypt, so that keys can
 * be rotated. Sealed form: `<key id>.<base64url of nonce(12) ciphertext tag(16)>`, or bytes without the dot.
 */
export class KeyRing {
  private constructor(
    private readonly ring: ReadonlyMap<string, Buffer>,
    private sealingId: string,
  ) {}

  /** Throws with a sentence that names the problem and never the key. */
  static parse(text: string): KeyRing {
    const ring = parseKeyRing(text);
    const [firstId] = ring.keys();
    if (firstId === undefined) throw new Error("holds no key");
    return new KeyRing(ring, firstId);
  }

  /** Names of the keys, the sealing one first. */
  get ids(): readonly string[] {
    return [this.sealingId, ...[...this.ring.keys()].filter((id) => id !== this.sealingId)];
  }

  /** Name of the key that seals. */
  get sealing(): string {
    return this.sealingId;
  }

  /** Makes that key the sealing one. Returns false and changes nothing when it is not in the ring. */
  choose(id: string): boolean {
    if (!this.ring.has(id)) return false;
    this.sealingId = id;
    return true;
  }

  /**
   * `context` is authenticated but not stored, so that a value moved to another session or field
   * does not open. `id`: a key other than the sealing one.
   */
  seal(plain: Buffer, context: string, id = this.sealingId): string {
    return `${id}.${sealWith(this.key(id), plain, context).toString("base64url")}`;
  }

  /** The same as bytes, a quarter shorter: `<key id><nonce ciphertext tag>`. */
  sealBytes(plain: Buffer, context: string): Buffer {
    return Buffer.concat([Buffer.from(this.sealingId), sealWith(this.key(this.sealingId), plain, context)]);
  }

  /** Throws when the value was altered, moved, or sealed under a key that left the ring. */
  open(sealed: string | Buffer, context: string): Buffer {
    if (typeof sealed !== "string") return openWith(this.key(sealed.toString("latin1", 0, 1)), sealed.subarray(1), context);
    return openWith(this.key(sealingKey(sealed)), Buffer.from(sealed.slice(sealed.indexOf(".") + 1), "base64url"), context);
  }

  /**
   * Returns a MAC of `text` under each key, the sealing key's first. MACs of different purposes
   * differ, and without a key they reveal nothing of the text.
   */
  macs(text: string, purpose: string): string[] {
    return this.ids.map((id) => {
      const derived = createHmac("sha256", this.key(id)).update(`v1|mac|${purpose}`).digest();
      return `${id}.${createHmac("sha256", derived).update(text).digest("base64url")}`;
    });
  }

  private key(id: string): Buffer {
    const key = this.ring.get(id);
    if (key === undefined) throw new Error(`no key ${JSON.stringify(id.slice(0, 8))} in the ring`);
    return key;
  }
}

/** Name of the key that a value is sealed with. */
export function sealingKey(sealed: string): string {
  return sealed.slice(0, Math.max(0, sealed.indexOf(".")));
}

/** Parses `a:<base64 of 32 bytes>,b:…` to a map in the given order. Throws a sentence without the keys. */
export function parseKeyRing(text: string): Map<string, Buffer> {
  const ring = new Map<string, Buffer>();
  for (const entry of text.split(",")) {
    const match = /^([A-Za-z0-9]):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry.trim());
    if (match?.[1] === undefined || match[2] === undefined) throw new Error("must be a list of id:base64 with ids of one letter or digit");
    const key = Buffer.from(match[2], "base64");
    if (key.length !== 32) throw new Error(`key ${match[1]} must be 32 bytes of base64`);
    if (ring.has(match[1])) throw new Error(`key ${match[1]} stands twice`);
    ring.set(match[1], key);
  }
  return ring;
}

/** nonce(12) ciphertext tag(16). A random 96-bit nonce is safe for 2^32 writes per key (NIST SP 800-38D 8.3). */
export function sealWith(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomNonce(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

export function openWith(key: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < 28) throw new Error("sealed value is too short");
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(sealed.length - 16));
  return Buffer.concat([decipher.update(sealed.subarray(12, sealed.length - 16)), decipher.final()]);
}
