/** A file as the platform got it. */
export interface ReceivedFile {
  readonly sha256: string;
  readonly size: number;
  readonly mimetype: string;
  /** Pixels, of pictures that can be decoded. */
  readonly width?: number;
  readonly height?: number;
  readonly fileName?: string;
  /** Seconds. */
  readonly duration?: number;
  readonly voice?: boolean;
  readonly thumbnail?: ReceivedFile;
}

interface Base {
  readonly account: string;
  /** ISO 8601. */
  readonly at: string;
}

export type Received = Base &
  (
    | {
        readonly type: "message";
        /** The id that the gateway returned. */
        readonly id: string;
        /** Marked id of the recipient. */
        readonly chat: string;
        readonly kind: string;
        readonly text: string;
        readonly entities: readonly Record<string, unknown>[];
        readonly file?: ReceivedFile;
        readonly location?: { readonly latitude: number; readonly longitude: number };
        readonly contact?: { readonly phone: string; readonly firstName: string; readonly lastName: string; readonly vcard: string };
        readonly replyTo?: string;
        readonly randomId: string;
      }
    | { readonly type: "edit"; readonly id: string; readonly chat: string; readonly text: string; readonly entities: readonly Record<string, unknown>[] }
    | { readonly type: "delete"; readonly chat: string; readonly ids: readonly string[] }
    | { readonly type: "read"; readonly chat: string; readonly maxId: string }
    | { readonly type: "typing"; readonly chat: string; readonly action: string }
    | { readonly type: "upload"; readonly fileId: string; readonly parts: number; readonly file: ReceivedFile }
    | {
        readonly type: "story";
        readonly id: string;
        readonly chat: string;
        readonly kind: string;
        readonly privacy: string;
        readonly caption: string;
        readonly entities: readonly Record<string, unknown>[];
        /** Seconds until it expires. */
        readonly period: number;
        readonly file: ReceivedFile;
        readonly randomId: string;
      }
  );

type Entry<R> = R extends Received ? Omit<R, "at"> : never;

const kept = 20_000;

/** Everything that the platform accepted from the accounts, in order. */
export class ReceivedLog {
  private entries: Received[] = [];

  constructor(private readonly changed: () => void) {}

  add(entry: Entry<Received>): void {
    this.entries.push({ ...entry, at: new Date().toISOString() });
    if (this.entries.length > kept) this.entries.splice(0, kept / 10);
    this.changed();
  }

  list(account: string | undefined): readonly Received[] {
    return account === undefined ? this.entries : this.entries.filter((entry) => entry.account === account);
  }

  restore(entries: readonly Received[]): void {
    this.entries = [...entries];
  }
}
