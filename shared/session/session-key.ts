import { createHmac } from "node:crypto";
import type { SessionId } from "../contract/ids.js";
import { openWith, sealWith, type KeyRing } from "../config/key-ring.js";
import { withOwnMemory } from "../flow/own-memory.js";
import { dataKeyContext } from "./data-key.js";
import { openRecord } from "./unreadable-record.js";

/** Prefix of a hashed name, which distinguishes it from a plain one in Redis. */
const namedMark = "#";

/**
 * The data key of one session: seals values, each bound to its session and field, and hashes names
 * that could identify people or chats.
 */
export class SessionKey {
  private namesKey: Buffer | undefined;

  constructor(
    private readonly id: SessionId,
    private readonly dataKey: Buffer,
  ) {}

  /** `wrapped`: the data key as it stands in the record. Throws `UnreadableRecord`. */
  static unwrap(ring: Pick<KeyRing, "open">, id: SessionId, wrapped: string): SessionKey {
    return openRecord("data key", () => {
      const dataKey = withOwnMemory(() => ring.open(wrapped, dataKeyContext(id)));
      return new SessionKey(id, dataKey);
    });
  }

  seal(plain: Buffer, field: string): Buffer {
    return sealWith(this.dataKey, plain, this.context(field));
  }

  /** Throws if the value was altered, moved, or sealed for another field. */
  open(sealed: Buffer, field: string): Buffer {
    return openWith(this.dataKey, sealed, this.context(field));
  }

  /** Seals a text of the record, which `openText` opens. */
  sealText(text: string, field: string): Buffer {
    return this.seal(Buffer.from(text), field);
  }

  openText(stored: Buffer, field: string): string {
    return this.open(stored, field).toString();
  }

  /** Returns 128 bits of an HMAC: equal for equal names, and meaningless without the key. `of`: kind of the name. */
  name(of: string, name: string): string {
    this.namesKey ??= createHmac("sha256", this.dataKey).update("v1|names").digest();
    const hash = createHmac("sha256", this.namesKey).update(`${of}|${name}`).digest();
    return `${namedMark}${hash.toString("base64url", 0, 16)}`;
  }

  private context(field: string): string {
    return `v1|${this.id}|${field}`;
  }
}
