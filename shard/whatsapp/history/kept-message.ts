import type { WhatsAppChat, WhatsAppMessage } from "../../../shared/contract/whatsapp/webhook-body.js";
import type { AccountRefs } from "../../session/message-refs.js";

/** A record as the history keeps it: without empty texts and lists, zeros and `false`. */
export type Sparse<T> = { readonly [Name in keyof T]?: SparseField<T[Name]> };
type SparseField<F> = F extends string | number | boolean | readonly unknown[] ? F : F extends object ? Sparse<F> : F;

/** A message whose ref is not sealed yet. */
export interface Headed {
  /** What `AccountRefs.sealPacked` makes the ref of. */
  readonly head?: string;
}

/** Returns the message with its ref. */
export function withRef({ head, ...message }: WhatsAppMessage & Headed, refs: Pick<AccountRefs, "sealPacked">): WhatsAppMessage {
  const ref = head === undefined ? undefined : refs.sealPacked(head);
  return ref === undefined ? message : { ...message, ref };
}

/** The person who deleted messages. */
export interface DeletedBy {
  /** True: the person claims to be their author. */
  readonly ofAuthor: boolean;
  /** True: the account itself. */
  readonly fromMe: boolean;
}

/** Returns the message with all fields of the event. */
export function toMessage({
  chat,
  author,
  location,
  contact,
  poll,
  ...fields
}: Sparse<WhatsAppMessage & Headed>): WhatsAppMessage & Headed {
  return {
    ...emptyMessage,
    entities: [],
    mentions: [],
    ...fields,
    chat: toChat(chat),
    ...(author && { author: toChat(author) }),
    ...(location && { location: { latitude: 0, longitude: 0, name: "", address: "", ...location } }),
    ...(contact && { contact: { name: "", phone: "", ...contact } }),
    ...(poll && { poll: { options: [], multiple: false, ...poll } }),
  };
}

export function toChat(chat: Sparse<WhatsAppChat> | undefined): WhatsAppChat {
  return { id: "", name: "", username: "", phone: "", lid: "", thumbnail: "", ...chat };
}

const emptyMessage = {
  id: "",
  type: "other",
  text: "",
  fromMe: false,
  created: "",
  edited: "",
  albumId: "",
  replyTo: "",
  forwarded: false,
  viewOnce: false,
  url: "",
  thumbnail: "",
  mimetype: "",
  name: "",
  size: 0,
  duration: 0,
  width: 0,
  height: 0,
  voice: false,
  round: false,
  animation: false,
  title: "",
  performer: "",
} as const satisfies Omit<WhatsAppMessage, "chat" | "entities" | "mentions">;
