import type { ReceivedBase, ReceivedFile } from "../../control/received.js";

export type Received = ReceivedBase &
  (
    | {
        readonly type: "message";
        /** The id that the gateway returned. */
        readonly id: string;
        /** Marked id of the recipient. */
        readonly chat: string;
        /** Missing in lists of earlier builds. */
        readonly recipient?: "user" | "group" | "channel";
        readonly kind: string;
        readonly text: string;
        readonly entities: readonly Record<string, unknown>[];
        readonly file?: ReceivedFile;
        readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string; readonly address?: string };
        readonly contact?: { readonly phone: string; readonly firstName: string; readonly lastName: string; readonly vcard: string };
        readonly poll?: { readonly question: string; readonly options: readonly string[]; readonly multiple: boolean };
        readonly replyTo?: string;
        /** Marked id of the replied-to message's chat, if the reply names it. */
        readonly replyToChat?: string;
        /** Marked id of the original author or channel. */
        readonly forwardedFrom?: string;
        readonly groupedId?: string;
        readonly randomId: string;
      }
    | {
        readonly type: "edit";
        readonly id: string;
        readonly chat: string;
        readonly text: string;
        readonly entities: readonly Record<string, unknown>[];
      }
    | { readonly type: "reaction"; readonly id: string; readonly chat: string; readonly emoji: string }
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
        /** Seconds until the story expires. */
        readonly period: number;
        readonly file: ReceivedFile;
        readonly randomId: string;
      }
  );
