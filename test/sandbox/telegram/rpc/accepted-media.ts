import type { ReceivedFile } from "../../control/received.js";
import type { Attachment } from "../world/message-box.js";

/** Media of a send after the platform stored it: the message's attachment and the control API's entry. */
export interface AcceptedMedia {
  readonly attachment: Attachment;
  readonly kind: string;
  readonly file?: ReceivedFile;
  readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string; readonly address?: string };
  readonly contact?: { readonly phone: string; readonly firstName: string; readonly lastName: string; readonly vcard: string };
  readonly poll?: { readonly question: string; readonly options: readonly string[]; readonly multiple: boolean };
  /** True until the receiver has played or viewed the media. */
  readonly unread?: boolean;
}
