import { LRUCache } from "lru-cache";
import type { SessionId } from "../../shared/contract/ids.js";
import type { KeyRing } from "../../shared/config/key-ring.js";
import { RecordTexts } from "../../shared/session/record-texts.js";
import type { SessionState } from "../../shared/session/state.js";
import { openState, unopenedState } from "../../shared/session/stored-state.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";

/** The sealed part of a session's record, as it was read. */
export interface SealedPart {
  readonly dataKey: Buffer | null;
  readonly state: Buffer | null;
  readonly account: Buffer | null;
  /** Its owner's word that the data key does not open. */
  readonly unreadable: Buffer | null;
}

export interface OpenedRecord {
  readonly state: SessionState;
  /** Empty before the first login. */
  readonly lastAccount: string;
  /** Opens what else stands sealed of the session. */
  readonly texts: RecordTexts;
}

export interface OpenedRecordsMetrics {
  recordOpened(outcome: "remembered" | "opened" | "unreadable"): void;
}

/** Sealed and opened, with a picture in it: some 2,000 accounts. */
const rememberedBytes = 32 * 1024 * 1024;
/** Of an entry beside its texts. */
const entryBytes = 600;

/**
 * Opens what stands sealed in sessions' records. What was opened once is remembered for as long as the same bytes stand there, so that a record that is polled costs no opening: each
 * write seals with another nonce. The least recently used go first.
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

  /** Bytes remembered now. */
  get size(): number {
    return this.remembered.calculatedSize;
  }

  /** `undefined` when the state is none, was altered, or was moved here. */
  open(id: SessionId, part: SealedPart): OpenedRecord | undefined {
    const known = this.remembered.get(id);
    if (known !== undefined && isSame(known, part)) {
      this.metrics?.recordOpened("remembered");
      return known.opened;
    }
    const opened = this.openNow(id, part);
    this.metrics?.recordOpened(opened === undefined || opened.state === unopenedState ? "unreadable" : "opened");
    if (opened === undefined || opened.state === unopenedState) return opened;
    // What Redis sent is a slice of a larger buffer, which would stay with it.
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

function isSame(known: SealedPart, part: SealedPart): boolean {
  return (
    part.unreadable === null &&
    areEqual(known.state, part.state) &&
    areEqual(known.account, part.account) &&
    areEqual(known.dataKey, part.dataKey)
  );
}

function areEqual(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
