import { isJidGroup, jidNormalizedUser, type proto } from "@whiskeysockets/baileys";
import type { SessionId } from "../../../shared/contract/ids.js";
import type { EventType } from "../../../shared/contract/webhook-events.js";
import type {
  DeletedWhatsAppMessages,
  WhatsAppChat,
  WhatsAppEventData,
  WhatsAppMessage,
} from "../../../shared/contract/whatsapp/webhook-body.js";
import type { Log } from "../../../shared/log/logger.js";
import { FencedError } from "../../../shared/redis/script.js";
import type { MessageHead } from "../../session/message-head.js";
import type { AccountRefs } from "../../session/message-refs.js";
import type { UpdateEvent } from "../../session/session-context.js";
import { fileOf, type MessageFile } from "../media/message-file.js";
import type { WhatsAppLinkPort } from "../media/file-links.js";
import { headContent } from "../message/head-content.js";
import { describeContent, type FileField } from "./describe-message.js";
import { encryptedEditIn, openEdit } from "./encrypted-edit.js";
import { eventId } from "./event-id.js";
import type { IncomingStanza, OwnJids } from "./incoming-stanza.js";
import { editSecretOf } from "../history/edit-secrets.js";
import type { DeletedBy, Headed } from "../history/kept-message.js";
import { chosenOptions, pollIn, type KnownPolls } from "./known-polls.js";
import { type People, unknownChat } from "./people.js";
import { readContent, type Content } from "./read-content.js";

export interface MessageEventsOptions {
  readonly session: SessionId;
  readonly people: People;
  readonly links: WhatsAppLinkPort;
  readonly refs: Pick<AccountRefs, "seal" | "pack">;
  readonly polls: Pick<KnownPolls, "add" | "find">;
  /** Returns the secrets that an edit of the message with this id may be encrypted with. */
  readonly editSecrets: (id: string) => Promise<readonly Uint8Array[]>;
  readonly me: () => OwnJids;
  /** True if the session keeps a history of its messages. */
  readonly keepsHistory: boolean;
  readonly log: Log;
}

/** Makes the event of a message. The event's id is that of the message, so a copy of the message gives the same event. */
export class MessageEvents {
  constructor(private readonly options: MessageEventsOptions) {}

  /** Returns the id of the one event that a stanza can have. */
  idOf({ chat, author, id }: IncomingStanza): string {
    return eventId(this.options.session, ["message", chat, author, id]);
  }

  /**
   * Returns nothing for what neither the receiver nor the history gets. A message that cannot be described is reported as `other`.
   */
  async of(stanza: IncomingStanza, received: proto.IMessage, requested: ReadonlySet<EventType>): Promise<UpdateEvent[]> {
    // Not within the `try`: an edit whose secret cannot be read from Redis now is delivered again.
    const edit = await this.encryptedEdit(stanza, received, requested);
    try {
      const content = edit ?? readContent(received);
      const type = content === undefined ? undefined : typeOf(stanza, content);
      if (content?.kind === "message" && requested.has("poll.vote")) await this.keepPoll(stanza, content.message);
      const isUnknown = content?.kind === "edited" && content.isUnknown === true;
      const to = type === undefined ? undefined : this.destination(type, requested, isUnknown);
      if (content === undefined || type === undefined || to === undefined) return [];
      if (content.kind === "vote") return await this.voteEvents(stanza, content);
      return [directed(await this.event(stanza, type, content, to), to)];
    } catch (error) {
      if (error instanceof FencedError) throw error;
      this.options.log.error({ err: error }, "message not described");
      return this.unreadable(stanza, requested);
    }
  }

  /** Returns the event of a message whose content is not available. */
  async unreadable(stanza: IncomingStanza, requested: ReadonlySet<EventType>, viewOnce = false): Promise<UpdateEvent[]> {
    const content = { kind: "message", message: {}, viewOnce } as const;
    const type = typeOf(stanza, content);
    const to = type === undefined ? undefined : this.destination(type, requested);
    if (type === undefined || to === undefined) return [];
    return [directed(await this.event(stanza, type, content, to), to)];
  }

  /**
   * Reads what the history shows of the chat that this session writes to. The result makes the entry of the message; `undefined` for what
   * shows nothing in a chat, and without a history.
   */
  async ofSent(stanza: IncomingStanza): Promise<(message: proto.IMessage) => UpdateEvent | undefined> {
    if (!this.options.keepsHistory) return () => undefined;
    const sides = await this.sides(stanza);
    return (message) => {
      try {
        const content = readContent(message);
        const type = content === undefined ? undefined : typeOf(stanza, content);
        if (content === undefined || type === undefined || content.kind === "reaction" || content.kind === "vote") return undefined;
        return directed(this.eventBetween(sides, stanza, type, content, "history"), "history");
      } catch (error) {
        this.options.log.error({ err: error }, "message not described");
        return undefined;
      }
    };
  }

  /** Returns `undefined` for an event that neither the receiver nor the history gets. The history keeps a message over an unknown edit. */
  private destination(type: EventType, requested: ReadonlySet<EventType>, isUnknown = false): UpdateEvent["to"] {
    const isKept = this.options.keepsHistory && !isUnknown && type !== "message.reaction" && type !== "poll.vote";
    if (requested.has(type)) return isKept ? "both" : "webhook";
    return isKept ? "history" : undefined;
  }

  /** Returns nothing if the message is no encrypted edit, and if neither the receiver nor the history gets its event. */
  private async encryptedEdit(
    stanza: IncomingStanza,
    received: proto.IMessage,
    requested: ReadonlySet<EventType>,
  ): Promise<Edit | undefined> {
    const edit = encryptedEditIn(received);
    if (edit === undefined) return undefined;
    const unknown: Edit = { kind: "edited", id: edit.id, message: {}, viewOnce: false, at: 0, isUnknown: true };
    const type = typeOf(stanza, unknown);
    if (type === undefined || this.destination(type, requested) === undefined) return undefined;
    return openEdit(edit, await this.options.editSecrets(edit.id), this.jidsOf(stanza)) ?? unknown;
  }

  /** Keeps a poll for its votes. It is stored before the poll's own event, so a vote finds it. */
  private async keepPoll({ id, chat, author, otherJid, fromMe }: IncomingStanza, message: proto.IMessage): Promise<void> {
    const poll = pollIn(message);
    if (poll !== undefined) await this.options.polls.add({ ...poll, id, chat, creators: this.jidsOf({ author, otherJid, fromMe }) });
  }

  /** Returns nothing for a vote in a poll that is not known, or whose voter cannot be the sender. */
  private async voteEvents(stanza: IncomingStanza, { id, vote }: Extract<Content, { kind: "vote" }>): Promise<UpdateEvent[]> {
    const poll = await this.options.polls.find(id);
    // A private chat has two JIDs, so only groups are compared.
    if (poll === undefined || ((stanza.kind === "group" || isJidGroup(poll.chat)) && poll.chat !== stanza.chat)) return [];
    const options = chosenOptions(poll, vote, this.jidsOf(stanza));
    if (options === undefined) return [];
    const { chat, author } = await this.sides(stanza);
    return [this.build<"poll.vote">(stanza, "poll.vote", { chat, ...author, fromMe: stanza.fromMe, messageId: id, options })];
  }

  /** Returns the JIDs of a message's author. */
  private jidsOf({ author, otherJid, fromMe }: Pick<IncomingStanza, "author" | "otherJid" | "fromMe">): string[] {
    const { id, lid } = this.options.me();
    const jids = fromMe ? [author, id, lid] : [author, otherJid];
    return [...new Set(jids.map(jidNormalizedUser).filter((jid) => jid !== ""))];
  }

  private build<T extends keyof WhatsAppEventData>(stanza: IncomingStanza, type: EventType, data: WhatsAppEventData[T]): UpdateEvent {
    // Never the sender's own time: an event that seems older than the webhook is dropped.
    return { id: this.idOf(stanza), type, created: isoDate(stanza.at * 1_000), data };
  }

  private async event(stanza: IncomingStanza, type: EventType, content: ShownContent, to: UpdateEvent["to"]): Promise<UpdateEvent> {
    return this.eventBetween(await this.sides(stanza), stanza, type, content, to);
  }

  private eventBetween(
    { chat, author }: Sides,
    stanza: IncomingStanza,
    type: EventType,
    content: ShownContent,
    to: UpdateEvent["to"],
  ): UpdateEvent {
    const { fromMe } = stanza;
    const build = <T extends keyof WhatsAppEventData>(data: WhatsAppEventData[T]): UpdateEvent => this.build<T>(stanza, type, data);
    switch (content.kind) {
      case "message":
        return this.withSecret(build<"message.new">(this.record(stanza, content, { chat, author }, to)), content);
      case "edited":
        return this.withSecret(
          build<"message.edited">({
            ...this.record({ ...stanza, id: content.id }, content, { chat, author }, to),
            edited: isoDate(content.at > 0 ? content.at : stanza.at * 1_000),
          }),
          content,
        );
      case "deleted": {
        const data = { chat, ...author, ids: [content.id] };
        const deletion = build<"message.deleted">(data);
        if (!this.options.keepsHistory) return deletion;
        // Only the author and administrators can delete a message, so the history keeps who claims to be the author.
        return { ...deletion, kept: { ...data, ofAuthor: content.ofAuthor, fromMe } satisfies DeletedWhatsAppMessages & DeletedBy };
      }
      case "reaction":
        return build<"message.reaction">({ chat, ...author, fromMe, messageId: content.id, emoji: content.emoji });
      default:
        return content satisfies never;
    }
  }

  /** The history keeps the message's secret, for later edits. */
  private withSecret(event: UpdateEvent, { message }: { readonly message: proto.IMessage }): UpdateEvent {
    const secret = this.options.keepsHistory ? editSecretOf(message) : undefined;
    return secret === undefined ? event : { ...event, secret };
  }

  private record(
    stanza: IncomingStanza,
    { message, viewOnce }: { readonly message: proto.IMessage; readonly viewOnce: boolean },
    { chat, author }: Sides,
    to: UpdateEvent["to"],
  ): WhatsAppMessage & Headed {
    const { id, fromMe } = stanza;
    const described = describeContent(message, viewOnce);
    return {
      id,
      ...this.ref(this.head(stanza, described.type, viewOnce ? {} : message), to),
      chat,
      ...author,
      fromMe,
      created: isoDate(stanza.at * 1_000),
      edited: "",
      ...described,
      viewOnce,
      ...this.file(stanza, viewOnce ? undefined : fileOf(message)),
    };
  }

  private head({ chat, id, kind, author, fromMe, at }: IncomingStanza, type: string, message: proto.IMessage): MessageHead {
    return { chat, id, author: kind === "group" ? author : "", fromMe, at, type, ...headContent(message) };
  }

  /** The history gets a ref when it is read, which is seldom. */
  private ref(head: MessageHead, to: UpdateEvent["to"]): Pick<WhatsAppMessage, "ref"> & Headed {
    const { refs } = this.options;
    if (to === "history") {
      const packed = refs.pack(head);
      return packed === undefined ? {} : { head: packed };
    }
    const ref = refs.seal(head);
    return ref === undefined ? {} : { ref };
  }

  private file(stanza: IncomingStanza, file: MessageFile | undefined): Pick<WhatsAppMessage, FileField> {
    if (file === undefined) return { url: "", thumbnail: "", mimetype: "", name: "", size: 0 };
    const { session, links } = this.options;
    const { chat, id, fromMe, kind } = stanza;
    const message = { chatId: chat, messageId: id, author: kind === "group" ? stanza.author : "", fromMe };
    const { mimetype, name, size } = file;
    return { url: links.fileUrl(session, message, file), thumbnail: links.thumbUrl(session, message, file), mimetype, name, size };
  }

  private async sides(stanza: IncomingStanza): Promise<Sides> {
    const { people } = this.options;
    switch (stanza.kind) {
      case "private":
        return { chat: await people.person(stanza.chat, stanza), author: {} };
      case "group":
        return { chat: people.group(stanza.chat), author: { author: await people.person(stanza.author, stanza) } };
      case "channel":
        return { chat: unknownChat(stanza.chat), author: {} };
    }
  }
}

/** The webhook alone is the default. */
export function directed(event: UpdateEvent, to: UpdateEvent["to"]): UpdateEvent {
  return to === undefined || to === "webhook" ? event : { ...event, to };
}

type Edit = Extract<Content, { kind: "edited" }>;

/** A vote is shown only with its poll. */
type ShownContent = Exclude<Content, { kind: "vote" }>;

interface Sides {
  readonly chat: WhatsAppChat;
  readonly author: { readonly author?: WhatsAppChat };
}

/** Returns `undefined` for what has no event, such as a deletion in a private chat by somebody who did not write the message. */
function typeOf({ kind, asAdmin }: IncomingStanza, content: Content): EventType | undefined {
  if (kind === "channel") return content.kind === "message" ? "channel.message.new" : undefined;
  if (content.kind === "reaction") return "message.reaction";
  if (content.kind === "vote") return "poll.vote";
  if (kind === "private") {
    if (content.kind === "deleted" && !content.ofAuthor) return undefined;
    return content.kind === "message" ? "message.new" : `message.${content.kind}`;
  }
  // The message itself is encrypted, so anybody could claim an administrator's right in it.
  if (content.kind === "deleted" && !content.ofAuthor && !asAdmin) return undefined;
  return content.kind === "message" ? "group.message.new" : `group.message.${content.kind}`;
}

/** An invalid time counts as the time of the event's arrival. */
export function isoDate(ms: number): string {
  return new Date(Number.isSafeInteger(ms) && ms > 0 && ms <= latestMs ? ms : Date.now()).toISOString();
}

/** Later years have more than four digits, which most parsers of ISO 8601 reject. */
const latestMs = Date.parse("9999-12-31T23:59:59.999Z");
