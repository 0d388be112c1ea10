import type { ReceivedFile } from "../../control/received.js";
import type { Attachment } from "../world/message-box.js";

/** Media of a send, kept by the platform: what the message carries, and what the control API reports of it. */
export interface AcceptedMedia {
  readonly attachment: Attachment;
  readonly kind: string;
  readonly file?: ReceivedFile;
  readonly location?: { readonly latitude: number; readonly longitude: number; readonly name?: string; readonly address?: string };
  readonly contact?: { readonly phone: string; readonly firstName: string; readonly lastName: string; readonly vcard: string };
  /** Receivers tell the author when they have listened to it, or looked at it. */
  readonly unread?: boolean;
}
