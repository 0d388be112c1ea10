import type { ReceivedBase, ReceivedFile as PlainFile } from "../../control/received.js";

/** A file as decrypted by its recipient; `sha256` is empty if the file was unreadable. */
export interface ReceivedFile extends PlainFile {
  /** Size in the message, which a recipient sees before the download. */
  readonly stated?: { readonly width: number; readonly height: number };
  /** Faults that a recipient's phone would find: a wrong MAC, hash or length, a missing file. */
  readonly problems?: readonly string[];
}

export type Recipient = "phone" | "group" | "newsletter" | "status";

/** The message that a reaction, an edit or a deletion names. */
export interface ReceivedTarget {
  readonly id: string;
  /** Phone number of the author in the key; empty if the key has none. */
  readonly author: string;
  /** Kind of the file whose caption was edited: `image`, `video` or `document`. */
  readonly file?: string;
  /** Why the phones of the chat ignore the change. */
  readonly ignored?: string;
}

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
  /** Pictures and videos that the head of an album announces. */
  readonly album?: { readonly images: number; readonly videos: number };
  /** Id of the album's head. */
  readonly albumId?: string;
  readonly poll?: { readonly options: readonly string[]; readonly multiple: boolean };
  /** The message that this one replies to. */
  readonly quoted?: { readonly id: string; readonly author: string; readonly chat?: string; readonly kind: string; readonly text: string };
  readonly forwarded?: true;
  /** Seconds after which the message disappears. */
  readonly expiration?: number;
  /** Unix seconds at which the timer was set. */
  readonly timerSetAt?: number;
  /** Source of the timer, such as `ACCOUNT_SETTING INITIATED_BY_ME`; absent if it was set in the chat. */
  readonly timerFrom?: string;
  /** Set for a reaction, an edit or a deletion. */
  readonly target?: ReceivedTarget;
  /** The content's envelope. */
  readonly envelope?: string;
}

export interface ReceivedMessage extends ReceivedContent {
  readonly type: "message" | "status";
  /** The id that the gateway returned. */
  readonly id: string;
  /** JID of the recipient, `status@broadcast` for a status. */
  readonly chat: string;
  readonly recipient: Recipient;
  /** Phone numbers of the people who can read the message; empty for channels. */
  readonly audience: readonly string[];
  /** Phone numbers of former members, who still hold the sender key and could read the message. */
  readonly strangers?: readonly string[];
  /** Id of the sender key of a group message or a status. */
  readonly senderKey?: number;
  /** JIDs of all devices that received a copy or the sender key, with this message or later under its id. */
  readonly devices: string[];
  /** Tags of the stanza's children. */
  readonly nodes?: readonly string[];
  /** The chat's messages disappear, but a recipient's phone shows that this one stays. */
  readonly staysForever?: true;
  /** The stanza's attribute for a change of another message. */
  readonly edit?: string;
  /** Kind of file in the stanza. */
  readonly mediatype?: string;
  /** Set for a channel's post. */
  readonly serverId?: number;
  readonly failures?: readonly { readonly jid: string; readonly reason: string }[];
}

export type Received = ReceivedBase &
  (
    | ReceivedMessage
    | { readonly type: "typing"; readonly chat: string; readonly action: "text" | "audio" | "cancel" }
    /** A changed post of a channel; `text` is the emoji or the new text. */
    | {
        readonly type: "change";
        readonly chat: string;
        readonly serverId: number;
        readonly kind: "reaction" | "edited" | "deleted";
        readonly text: string;
      }
    | { readonly type: "presence"; readonly action: string }
    | { readonly type: "read"; readonly chat: string; readonly ids: readonly string[] }
    | {
        readonly type: "upload";
        readonly path: string;
        readonly remoteAddress?: string;
        readonly file: { readonly sha256: string; readonly size: number };
      }
  );
