export interface ReceivedFile {
  /** Hash of the decrypted content. */
  readonly sha256: string;
  readonly size: number;
  readonly mimetype: string;
  /** Pixels. Present for pictures that can be decoded. */
  readonly width?: number;
  readonly height?: number;
  readonly fileName?: string;
  /** Seconds. */
  readonly duration?: number;
  readonly voice?: boolean;
  readonly thumbnail?: ReceivedFile;
}

/** Fields of every entry in a platform's list. */
export interface ReceivedBase {
  readonly account: string;
  /** ISO 8601. */
  readonly at: string;
}

type Draft<R> = R extends ReceivedBase ? Omit<R, "at"> : never;

const kept = 20_000;

/** Log of everything that a platform accepted from its accounts, in order. A full log drops its oldest tenth. */
export class ReceivedLog<R extends ReceivedBase> {
  private entries: R[] = [];

  constructor(private readonly changed: () => void) {}

  add(draft: Draft<R>): void {
    this.entries.push(dated<R>(draft));
    if (this.entries.length > kept) this.entries.splice(0, kept / 10);
    this.changed();
  }

  list(account: string | undefined): readonly R[] {
    return account === undefined ? this.entries : this.entries.filter((entry) => entry.account === account);
  }

  restore(entries: readonly R[]): void {
    this.entries = [...entries];
  }
}

/** TypeScript cannot rebuild a union member from its rest and the removed field. */
function dated<R extends ReceivedBase>(draft: Draft<R>): R {
  return { ...draft, at: new Date().toISOString() } as unknown as R;
}
