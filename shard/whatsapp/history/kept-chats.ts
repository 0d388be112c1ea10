import typia from "typia";
import type {
  DeletedWhatsAppMessages,
  ReadWhatsAppMessages,
  WhatsAppChat,
  WhatsAppMessage,
} from "../../../shared/contract/whatsapp/webhook-body.js";
import type { HistoryEntry } from "../../session/session-context.js";
import { phoneJid } from "../jid.js";
import { Aliases } from "./aliases.js";
import { toChat, toMessage, type DeletedBy, type Headed, type Sparse } from "./kept-message.js";
import { takenBackType } from "./taken-back.js";

/** A message of the history, with its edits applied. */
export interface KeptMessage {
  /** Position in the history. */
  readonly at: string;
  readonly message: WhatsAppMessage & Headed;
}

/** One chat of the history. It has at least one message. */
export interface KeptChat {
  readonly chat: WhatsAppChat;
  /** Oldest first. */
  readonly messages: readonly KeptMessage[];
  /** Messages of others after the last own message or read mark. */
  readonly unread: number;
}

/** The chats of a session's history, by all names of a chat. */
export class KeptChats {
  private readonly aliases = new Aliases();
  private readonly chats = new Map<string, OpenChat>();

  /** `entries` are oldest first. Entries of later versions are ignored. */
  constructor(entries: readonly HistoryEntry[]) {
    const changes = changesIn(entries);
    for (const { chat, author } of changes) for (const one of [chat, author]) if (one !== undefined) this.aliases.join(namesOf(one));
    for (const change of changes) this.apply(change);
  }

  /** Returns all chats, the one with the newest message first. */
  all(): KeptChat[] {
    return [...this.chats.values()].flatMap((chat) => chat.kept() ?? []).sort((a, b) => comparePositions(newest(b), newest(a)));
  }

  /** Returns the chat with this JID of either kind; `undefined` if the history has no message of it. */
  find(jid: string): KeptChat | undefined {
    return this.chats.get(this.aliases.of(jid))?.kept();
  }

  private apply(change: Change): void {
    const name = this.aliases.of(change.chat.id);
    const chat = this.chats.get(name) ?? new OpenChat();
    this.chats.set(name, chat);
    chat.apply(change, change.author === undefined ? "them" : this.aliases.of(change.author.id));
  }
}

/** Compares positions in the history. */
export function comparePositions(a: string, b: string): number {
  const [[aMs = 0, aNumber = 0], [bMs = 0, bNumber = 0]] = [partsOf(a), partsOf(b)];
  return aMs - bMs || aNumber - bNumber;
}

const partsOf = (position: string): number[] => position.split("-").map(Number);
const newest = ({ messages }: KeptChat): string => messages.at(-1)?.at ?? "";

/** All JIDs of a person, group or channel. */
const namesOf = ({ id, lid, phone }: WhatsAppChat): string[] => [id, lid, phone === "" ? "" : phoneJid(phone)];

type Change = { readonly at: string; readonly chat: WhatsAppChat; readonly author: WhatsAppChat | undefined } & (
  | { readonly kind: "message" | "edited"; readonly message: WhatsAppMessage & Headed }
  | { readonly kind: "deleted"; readonly ids: readonly string[]; readonly by: DeletedBy }
  | { readonly kind: "read"; readonly until: string }
);

/** Returns each change once. A write of Redis may have been repeated. */
function changesIn(entries: readonly HistoryEntry[]): Change[] {
  const dropped = new Set(entries.flatMap(({ type, data }) => (type === takenBackType && isTakenBack(data) ? data.id : [])));
  return entries.flatMap((entry) => {
    if (dropped.has(entry.id)) return [];
    dropped.add(entry.id);
    return changeOf(entry) ?? [];
  });
}

function changeOf({ at, type, data }: HistoryEntry): Change | undefined {
  switch (type) {
    case "message.new":
    case "group.message.new":
    case "channel.message.new":
    case "message.edited":
    case "group.message.edited": {
      if (!isMessage(data)) return undefined;
      const message = toMessage(data);
      const { chat, author } = message;
      return { at, chat, author, kind: type.endsWith(".new") ? "message" : "edited", message };
    }
    case "message.deleted":
    case "group.message.deleted":
      return isDeletion(data) ? { at, ...deletionOf(data) } : undefined;
    case "message.read":
      return isRead(data) ? { at, chat: toChat(data.chat), author: undefined, kind: "read", until: data.until ?? "" } : undefined;
    default:
      return undefined;
  }
}

function deletionOf({ chat, author, ids = [], ofAuthor = false, fromMe = false }: Sparse<DeletedWhatsAppMessages & DeletedBy>) {
  return { chat: toChat(chat), author: author && toChat(author), kind: "deleted" as const, ids, by: { ofAuthor, fromMe } };
}

const isMessage = typia.createIs<Sparse<WhatsAppMessage & Headed>>();
const isDeletion = typia.createIs<Sparse<DeletedWhatsAppMessages & DeletedBy>>();
const isRead = typia.createIs<Sparse<ReadWhatsAppMessages>>();
const isTakenBack = typia.createIs<{ id: string }>();

/** A chat while its changes are applied, in their order. */
class OpenChat {
  private chat: WhatsAppChat | undefined;
  /** By sender and id, oldest first. */
  private readonly messages = new Map<string, KeptMessage>();
  /** Position up to which the account has read. */
  private readUntil = "";

  apply(change: Change, author: string): void {
    this.learn(change);
    switch (change.kind) {
      case "message":
      case "edited": {
        const { message } = change;
        // Another person's message may have the same id.
        const name = keyOf(message.id, message.fromMe ? "me" : author);
        const former = this.messages.get(name);
        if (change.kind === "edited") {
          if (former === undefined) return;
          this.messages.set(name, { at: former.at, message: { ...message, created: former.message.created } });
        } else if (former === undefined) {
          this.messages.set(name, { at: change.at, message });
          if (message.fromMe) this.readUntil = change.at;
        }
        return;
      }
      case "deleted": {
        const { ofAuthor, fromMe } = change.by;
        const deleter = fromMe ? "me" : author;
        // The platform checks only an administrator's deletion. Any other one deletes messages of its sender alone.
        if (ofAuthor) for (const id of change.ids) this.messages.delete(keyOf(id, deleter));
        else for (const [name, { message }] of this.messages) if (change.ids.includes(message.id)) this.messages.delete(name);
        return;
      }
      case "read": {
        const read = [...this.messages.values()].findLast(({ message }) => message.id === change.until);
        const until = read?.at ?? change.at;
        if (this.readUntil === "" || comparePositions(until, this.readUntil) > 0) this.readUntil = until;
        return;
      }
      default:
        change satisfies never;
    }
  }

  /** Returns `undefined` without messages. */
  kept(): KeptChat | undefined {
    const { chat } = this;
    const messages = [...this.messages.values()];
    if (chat === undefined || messages.length === 0) return undefined;
    const isUnread = ({ at, message }: KeptMessage): boolean =>
      !message.fromMe && (this.readUntil === "" || comparePositions(at, this.readUntil) > 0);
    return { chat, messages, unread: messages.filter(isUnread).length };
  }

  /** The newest change knows the chat best. It may lack what an earlier one knew. */
  private learn({ chat }: Change): void {
    const { name, username, phone, lid } = this.chat ?? chat;
    this.chat = {
      ...chat,
      name: chat.name || name,
      username: chat.username || username,
      phone: chat.phone || phone,
      lid: chat.lid || lid,
    };
  }
}

const keyOf = (id: string, sender: string): string => `${sender} ${id}`;
