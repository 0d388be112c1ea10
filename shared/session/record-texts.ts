import type { SessionId } from "../contract/ids.js";
import type { KeyRing } from "../config/key-ring.js";
import { SessionKey } from "./session-key.js";
import { openRecord, UnreadableRecord } from "./unreadable-record.js";

/** Sealed texts of one session's record, as they were read. */
export class RecordTexts {
  private unwrapped: SessionKey | undefined;

  /** `wrapped`: the data key as it stands in the record. */
  constructor(
    private readonly ring: Pick<KeyRing, "open">,
    private readonly id: SessionId,
    private readonly wrapped: Buffer | null | undefined,
  ) {}

  /** Unwraps the key on first use. Throws `UnreadableRecord`. */
  get key(): SessionKey {
    if (this.wrapped == null) throw new UnreadableRecord("data key");
    this.unwrapped ??= SessionKey.unwrap(this.ring, this.id, this.wrapped.toString());
    return this.unwrapped;
  }

  /** Opens a text; empty if it is not stored. Throws `UnreadableRecord`. */
  open(stored: Buffer | null | undefined, field: string): string {
    if (stored == null || stored.length === 0) return "";
    const { key } = this;
    return openRecord(field, () => key.openText(stored, field));
  }
}
