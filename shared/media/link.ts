import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { parseKeyRing } from "../config/key-ring.js";
import { isSessionId, type SessionId } from "../contract/ids.js";
import { mediaVariants, type MediaAddress, type MediaVariant } from "../contract/media.js";

/** The last five segments of a media path as they stand in the URL, `signature.ext` already split. Nothing is trusted yet. */
export interface LinkParts {
  readonly session: string;
  readonly chatId: string;
  readonly messageId: string;
  readonly variant: string;
  readonly signature: string;
  readonly ext: string;
}

/**
 * Keys of media links: the first one signs, all verify. Links do not expire; removing a key revokes its
 * links. Signature: key letter, then 20 bytes of HMAC-SHA256(key, `v1|session|chat|message|variant|ext`).
 */
export class LinkKeys {
  private constructor(private readonly keys: ReadonlyMap<string, Buffer>) {}

  /** Text form as in `parseKeyRing`: `a:<base64 of 32 bytes>,b:…`. Throws a sentence without key material. */
  static parse(text: string): LinkKeys {
    return new LinkKeys(parseKeyRing(text));
  }

  /** Fingerprint of each key, from which the key cannot be derived. */
  get fingerprints(): Record<string, string> {
    return Object.fromEntries(
      [...this.keys].map(([name, key]) => [name, createHmac("sha256", key).update("v1|fingerprint").digest("base64url").slice(0, 16)]),
    );
  }

  /** Returns a key for another purpose from each key, under the same name and in the same order. */
  derive(purpose: string): ReadonlyMap<string, Buffer> {
    const info = `v1|${purpose}`;
    return new Map([...this.keys].map(([name, key]) => [name, Buffer.from(hkdfSync("sha256", key, "", info, 32))]));
  }

  /** The path after the platform's prefix: `/media/<session>/<chat>/<message>/<variant>/<signature>.<ext>`. */
  sign(session: SessionId, { chatId, messageId, variant }: MediaAddress, ext: string): string {
    const parts = { session, chatId, messageId, variant, ext };
    const [name] = this.keys.keys();
    if (name === undefined || !wellFormed(parts)) throw new Error("media address cannot be signed");
    return `/media/${session}/${chatId}/${messageId}/${variant}/${this.signature(name, parts)}.${ext}`;
  }

  /**
   * The address that a link names, `undefined` when any part was altered. Texts are compared, not decoded bytes: the last
   * base64url character has two spare bits, which decoding would forgive. Always one HMAC, whatever is wrong.
   */
  verify(parts: LinkParts): MediaAddress | undefined {
    const expected = Buffer.from(this.signature(parts.signature.slice(0, 1), parts), "latin1");
    const given = Buffer.alloc(expected.length);
    given.write(parts.signature, "latin1");
    const equal = timingSafeEqual(expected, given);
    const { chatId, messageId, variant } = parts;
    if (!equal || parts.signature.length !== expected.length || !this.keys.has(parts.signature.slice(0, 1))) return undefined;
    return wellFormed(parts) && isVariant(variant) ? { chatId, messageId, variant } : undefined;
  }

  private signature(name: string, { session, chatId, messageId, variant, ext }: Omit<LinkParts, "signature">): string {
    const text = `v1|${session}|${chatId}|${messageId}|${variant}|${ext}`;
    const mac = createHmac("sha256", this.keys.get(name) ?? unknownKey)
      .update(text)
      .digest();
    return (this.keys.has(name) ? name : "-") + mac.subarray(0, 20).toString("base64url");
  }
}

/** Signs nothing: an unknown key name takes as long as a known one. */
const unknownKey = Buffer.alloc(32);

/** Chat and message ids are signed 64-bit numbers. The shapes keep `|` out of the signed text and the parts out of each other. */
const number = /^-?[0-9]{1,20}$/;
const extension = /^[a-z0-9]{1,8}$/;

function wellFormed({ session, chatId, messageId, variant, ext }: Omit<LinkParts, "signature">): boolean {
  return isSessionId(session) && number.test(chatId) && number.test(messageId) && isVariant(variant) && extension.test(ext);
}

function isVariant(value: string): value is MediaVariant {
  return mediaVariants.some((variant) => variant === value);
}
