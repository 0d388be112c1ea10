import { randomBytes } from "node:crypto";
import { openWith, sealWith } from "../config/key-ring.js";
import type { LinkKeys } from "./link.js";

/** Seals texts that callers keep for us: key letter, then base64url of AES-256-GCM. The first key seals, every key of the ring opens. */
export class SealedTokens {
  private readonly keys: ReadonlyMap<string, Buffer>;

  constructor(links: LinkKeys, purpose: string) {
    this.keys = links.derive(purpose);
  }

  /** `context` is authenticated but not part of the token. Returns `undefined` if the ring has no key. */
  seal(plain: Buffer, context: string): string | undefined {
    const [first] = this.keys;
    return first && first[0] + sealWith(first[1], plain, context).toString("base64url");
  }

  /** Returns `undefined` when anything was altered. Only the cipher compares secrets, in constant time. */
  open(token: string, context: string): Buffer | undefined {
    const key = this.keys.get(token.slice(0, 1)) ?? unknownKey;
    const sealed = Buffer.from(token.slice(1), "base64url");
    try {
      const plain = openWith(key, sealed, context);
      // Texts are compared, not only bytes: decoding forgives spare bits and foreign characters.
      return sealed.toString("base64url") === token.slice(1) ? plain : undefined;
    } catch {
      return undefined; // The error is dropped because every altered token is rejected alike.
    }
  }
}

/** Opens nothing, but takes as long as a known key. It is random, because anybody could seal a token with a constant key. */
const unknownKey = randomBytes(32);
