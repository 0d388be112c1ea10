/** A file as its recipient gets it. */
export interface ReceivedFile {
  /** Of the content, after decryption. Empty when it could not be read. */
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
  /** As the message itself says, which a recipient sees before the download. */
  readonly stated?: { readonly width: number; readonly height: number };
  readonly thumbnail?: ReceivedFile;
  /** What a recipient's phone would stumble over: a wrong MAC, hash or length, a file that is not there. */
  readonly problems?: readonly string[];
}

export type Recipient = "phone" | "group" | "newsletter" | "status";

export interface ReceivedContent {
  readonly kind: string;
  /** Text or caption. */
  readonly text: string;
  readonly file?: ReceivedFile;
  readonly location?: { readonly latitude: number; readonly longitude: number; readonly name: string; readonly address: string };
  readonly contact?: { readonly name: string; readonly phone: string; readonly vcard: string };
  /** Ids of mentioned people. */
  readonly mentions?: readonly string[];
  /** "#RRGGBB" of a text status. */
  readonly background?: string;
  readonly font?: number;
}

interface Base {
  readonly account: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface ReceivedMessage extends ReceivedContent {
  readonly type: "message" | "status";
  /** The id that the gateway returned. */
  readonly id: string;
  /** JID of the recipient, `status@broadcast` for a status. */
  readonly chat: string;
  readonly recipient: Recipient;
  /** Phone numbers of those who can read it; empty for channels. */
  readonly audience: readonly string[];
  /** JIDs of all devices that got a copy, or the sender key, with this very message. */
  readonly devices: readonly string[];
  /** Of a channel's post. */
  readonly serverId?: number;
  readonly failures?: readonly { readonly jid: string; readonly reason: string }[];
}

export type Received = Base &
  (
    | ReceivedMessage
    | { readonly type: "typing"; readonly chat: string; readonly action: "text" | "audio" | "cancel" }
    | { readonly type: "presence"; readonly action: string }
    | { readonly type: "read"; readonly chat: string; readonly ids: readonly string[] }
    | { readonly type: "upload"; readonly path: string; readonly file: { readonly sha256: string; readonly size: number } }
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
