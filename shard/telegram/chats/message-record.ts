import type { Api } from "telegram";
import type { SessionId } from "../../../shared/contract/ids.js";
import type { Person, PrivateMessage } from "../../../shared/contract/telegram/webhook-body.js";
import type { AccountRefs } from "../../session/message-refs.js";
import type { LinkPort } from "../services.js";
import type { MessageLink } from "./message-media.js";
import { isWrittenBySelf } from "./outgoing.js";
import { toPrivateMessage } from "./private-message.js";

export interface RecordParts {
  readonly session: SessionId;
  readonly links: LinkPort;
  readonly refs: Pick<AccountRefs, "seal">;
  /** Returns the id of the account. */
  readonly self: () => string;
}

/** Returns the record of a message in events and lists, with its links and its ref. `author`: the sender, in groups. */
export function messageRecord(
  { session, links, refs, self }: RecordParts,
  message: Api.Message,
  chat: Person,
  author?: Person,
): PrivateMessage {
  const link: MessageLink = (messageId, variant, ext) =>
    links.mediaUrl(session, { chatId: chat.id, messageId: String(messageId), variant }, ext);
  const { id, chat: shown, ...record } = toPrivateMessage(message, chat, isWrittenBySelf(message, self()), link);
  const { fromMe, type } = record;
  // The platform has the message, so its id is enough to quote and to forward it.
  const ref = refs.seal({ chat: chat.id, id, author: "", fromMe, at: message.date, type, content: nothing, whole: true });
  return { id, ...(ref !== undefined && { ref }), chat: shown, ...(author && { author }), ...record };
}

const nothing = Buffer.alloc(0);
