import type { ReceivedBase, ReceivedFile as PlainFile } from "../../control/received.js";

/** A file after its recipient decrypted it; `sha256` is empty when it could not be read. */
export interface ReceivedFile extends PlainFile {
  /** As the message itself says, which a recipient sees before the download. */
  readonly stated?: { readonly width: number; readonly height: number };
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
  /** Seconds after which the message says to disappear. */
  readonly expiration?: number;
  /** When that timer was set, Unix seconds. */
  readonly timerSetAt?: number;
  /** Where it comes from, such as `ACCOUNT_SETTING INITIATED_BY_ME`; absent when it was set in the chat. */
  readonly timerFrom?: string;
  /** The envelope that the content came in. */
  readonly envelope?: string;
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
  /** Phone numbers of those who could read it and are not meant to: they left and have its sender key. */
  readonly strangers?: readonly string[];
  /** Id of the sender key of a group's message or a status. */
  readonly senderKey?: number;
  /** JIDs of all devices that got a copy, or the sender key, with this very message or under its id later. */
  readonly devices: string[];
  /** Tags of the stanza's children. */
  readonly nodes?: readonly string[];
  /** Its chat's messages disappear, and a recipient's phone shows that this one will not. */
  readonly staysForever?: true;
  /** Kind of file that the stanza names. */
  readonly mediatype?: string;
  /** Of a channel's post. */
  readonly serverId?: number;
  readonly failures?: readonly { readonly jid: string; readonly reason: string }[];
}

export type Received = ReceivedBase &
  (
    | ReceivedMessage
    | { readonly type: "typing"; readonly chat: string; readonly action: "text" | "audio" | "cancel" }
    | { readonly type: "presence"; readonly action: string }
    | { readonly type: "read"; readonly chat: string; readonly ids: readonly string[] }
    | {
        readonly type: "upload";
        readonly path: string;
        readonly remoteAddress?: string;
        readonly file: { readonly sha256: string; readonly size: number };
      }
  );
