import type { SessionId } from "../../../shared/contract/ids.js";
import type { MediaVariant } from "../../../shared/contract/media.js";
import type { SealedLinks } from "../../../shared/media/sealed-links.js";
import { extensionOf } from "../../files/media/extension.js";
import type { MessageFile, SentFacts } from "./message-file.js";

/** The message that a file belongs to. */
export interface FileMessage {
  /** JID of the chat. */
  readonly chatId: string;
  readonly messageId: string;
  /** JID of the sender in a group; empty elsewhere. */
  readonly author: string;
  readonly fromMe: boolean;
}

/** Makes the links of received files. A link is empty if there is no such file, or if it cannot be sealed into a link. */
export interface WhatsAppLinkPort {
  fileUrl(session: SessionId, message: FileMessage, file: MessageFile): string;
  thumbUrl(session: SessionId, message: FileMessage, file: MessageFile): string;
}

export class FileLinks implements WhatsAppLinkPort {
  /** `baseUrl`: the public address of the platform's endpoints. */
  constructor(
    private readonly links: Pick<SealedLinks, "seal">,
    private readonly baseUrl: string,
  ) {}

  fileUrl(session: SessionId, message: FileMessage, { file }: MessageFile): string {
    return this.url(session, message, "file", file);
  }

  thumbUrl(session: SessionId, message: FileMessage, { thumb }: MessageFile): string {
    return this.url(session, message, "thumb", thumb);
  }

  private url(session: SessionId, message: FileMessage, variant: MediaVariant, sent: SentFacts | undefined): string {
    if (sent === undefined) return "";
    const { chatId, messageId, author, fromMe } = message;
    const ext = extensionOf(sent.mimetype, sent.name);
    const path = this.links.seal(session, { chatId, messageId, variant }, ext, { ...sent, author, fromMe });
    return path === undefined ? "" : this.baseUrl + path;
  }
}
