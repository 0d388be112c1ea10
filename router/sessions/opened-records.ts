import { LRUCache } from "lru-cache";
import type { SessionId } from "../../shared/contract/ids.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import { RecordTexts } from "../../shared/session/record-texts.js";
import type { SessionState } from "../../shared/session/state.js";
import { openState, unopenedState } from "../../shared/session/stored-state.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";

/** Sealed part of a session's record, as it was read. */
export interface SealedPart {
  readonly dataKey: Buffer | null;
  readonly state: Buffer | null;
  readonly account: Buffer | null;
  /** Set by the owner if the data key cannot be opened. */
  readonly unreadable: Buffer | null;
}

export interface OpenedRecord {
  readonly state: SessionState;
  /** Empty before the first login. */
  readonly lastAccount: string;
  /** Opens further sealed texts of the session. */
  readonly texts: RecordTexts;
}

export interface OpenedRecordsMetrics {
  recordOpened(outcome: "cached" | "decrypted" | "unreadable"): void;
}

/** Limit of sealed and opened bytes: about 2,000 accounts with a picture each. */
const rememberedBytes = 32 * 1024 * 1024;
/** Size of an entry without its texts. */
const entryBytes = 600;

/**
 * Opens sealed session records and keeps the results while the stored bytes are the same, so that polling costs no decryption. Evicts the
 * least recently used.
 */
export class OpenedRecords {
  private readonly remembered = new LRUCache<SessionId, SealedPart & { readonly opened: OpenedRecord }>({
    maxSize: rememberedBytes,
    sizeCalculation: ({ state, account }) => entryBytes + 2 * (state?.length ?? 0) + (account?.length ?? 0),
  });

  constructor(
    private readonly ring: Pick<KeyRing, "open">,
    private readonly metrics?: OpenedRecordsMetrics,
  ) {}

  /** Bytes held now. */
  get size(): number {
    return this.remembered.calculatedSize;
  }

  /** Returns `undefined` if the state is invalid, altered, or moved here from another session. */
  open(id: SessionId, part: SealedPart): OpenedRecord | undefined {
    const remembered = this.remembered.get(id);
    if (remembered !== undefined && isSame(remembered, part)) {
      this.metrics?.recordOpened("cached");
      return remembered.opened;
    }
    const opened = this.openNow(id, part);
    this.metrics?.recordOpened(opened === undefined || opened.state === unopenedState ? "unreadable" : "decrypted");
    if (opened === undefined || opened.state === unopenedState) return opened;
    // Redis returns slices of a larger buffer. Copies let that buffer be freed.
    const [dataKey, state, account] = [part.dataKey, part.state, part.account].map((bytes) =>
      bytes === null ? null : Buffer.from(bytes),
    ) as [Buffer | null, Buffer | null, Buffer | null];
    this.remembered.set(id, { dataKey, state, account, unreadable: null, opened });
    return opened;
  }

  private openNow(id: SessionId, { dataKey, state, account, unreadable }: SealedPart): OpenedRecord | undefined {
    const texts = new RecordTexts(this.ring, id, dataKey === null ? null : Buffer.from(dataKey));
    if (unreadable !== null) return { state: unopenedState, lastAccount: "", texts };
    const opened = openState(texts, state);
    if (opened === undefined || opened === unopenedState) return opened && { state: opened, lastAccount: "", texts };
    try {
      return { state: opened, lastAccount: texts.open(account, "account"), texts };
    } catch (error) {
      if (error instanceof UnreadableRecord) return undefined;
      throw error;
    }
  }
}

function isSame(remembered: SealedPart, part: SealedPart): boolean {
  return (
    part.unreadable === null &&
    areEqual(remembered.state, part.state) &&
    areEqual(remembered.account, part.account) &&
    areEqual(remembered.dataKey, part.dataKey)
  );
}

function areEqual(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
