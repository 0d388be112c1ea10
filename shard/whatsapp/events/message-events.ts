import type { proto } from "@whiskeysockets/baileys";
import type { SessionId } from "../../../shared/contract/ids.js";
import type { EventType } from "../../../shared/contract/webhook-events.js";
import type { WhatsAppChat, WhatsAppEventData, WhatsAppMessage } from "../../../shared/contract/whatsapp/webhook-body.js";
import type { Log } from "../../../shared/log/logger.js";
import type { AccountRefs } from "../../session/message-refs.js";
import type { UpdateEvent } from "../../session/session-context.js";
import { fileOf, type MessageFile } from "../media/message-file.js";
import type { WhatsAppLinkPort } from "../media/file-links.js";
import { headContent } from "../message/head-content.js";
import { describeContent, type FileField } from "./describe-message.js";
import { eventId } from "./event-id.js";
import type { IncomingStanza } from "./incoming-stanza.js";
import { type People, unknownChat } from "./people.js";
import { readContent, type Content } from "./read-content.js";

export interface MessageEventsOptions {
  readonly session: SessionId;
  readonly people: People;
  readonly links: WhatsAppLinkPort;
  readonly refs: Pick<AccountRefs, "seal">;
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
    try {
      const content = readContent(received);
      const type = content === undefined ? undefined : typeOf(stanza, content);
      const to = type === undefined ? undefined : this.destination(type, requested);
      if (content === undefined || type === undefined || to === undefined) return [];
      return [directed(await this.event(stanza, type, content), to)];
    } catch (error) {
      this.options.log.error({ err: error }, "message not described");
      return this.unreadable(stanza, requested);
    }
  }

  /** Returns the event of a message whose content is not available. */
  async unreadable(stanza: IncomingStanza, requested: ReadonlySet<EventType>, viewOnce = false): Promise<UpdateEvent[]> {
    const content: Content = { kind: "message", message: {}, viewOnce };
    const type = typeOf(stanza, content);
    const to = type === undefined ? undefined : this.destination(type, requested);
    if (type === undefined || to === undefined) return [];
    return [directed(await this.event(stanza, type, content), to)];
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
        if (content === undefined || type === undefined || content.kind === "reaction") return undefined;
        return directed(this.eventBetween(sides, stanza, type, content), "history");
      } catch (error) {
        this.options.log.error({ err: error }, "message not described");
        return undefined;
      }
    };
  }

  /** Returns `undefined` for an event that nobody gets. */
  private destination(type: EventType, requested: ReadonlySet<EventType>): UpdateEvent["to"] {
    const isKept = this.options.keepsHistory && type !== "message.reaction";
    if (requested.has(type)) return isKept ? "both" : "webhook";
    return isKept ? "history" : undefined;
  }

  private async event(stanza: IncomingStanza, type: EventType, content: Content): Promise<UpdateEvent> {
    return this.eventBetween(await this.sides(stanza), stanza, type, content);
  }

  private eventBetween({ chat, author }: Sides, stanza: IncomingStanza, type: EventType, content: Content): UpdateEvent {
    const { fromMe } = stanza;
    const build = <T extends keyof WhatsAppEventData>(data: WhatsAppEventData[T]): UpdateEvent => ({
      id: this.idOf(stanza),
      type,
      // Never the sender's own time: an event that seems older than the webhook is dropped.
      created: isoDate(stanza.at * 1_000),
      data,
    });
    switch (content.kind) {
      case "message":
        return build<"message.new">(this.record(stanza, content, { chat, author }));
      case "edited":
        return build<"message.edited">({
          ...this.record({ ...stanza, id: content.id }, content, { chat, author }),
          edited: isoDate(content.at > 0 ? content.at : stanza.at * 1_000),
        });
      case "deleted":
        return build<"message.deleted">({ chat, ...author, ids: [content.id] });
      case "reaction":
        return build<"message.reaction">({ chat, ...author, fromMe, messageId: content.id, emoji: content.emoji });
      default:
        return content satisfies never;
    }
  }

  private record(
    stanza: IncomingStanza,
    { message, viewOnce }: { readonly message: proto.IMessage; readonly viewOnce: boolean },
    { chat, author }: Sides,
  ): WhatsAppMessage {
    const { id, fromMe } = stanza;
    const described = describeContent(message, viewOnce);
    const ref = this.ref(stanza, described.type, viewOnce ? {} : message);
    return {
      id,
      ...(ref !== undefined && { ref }),
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

  private ref({ chat, id, kind, author, fromMe, at }: IncomingStanza, type: string, message: proto.IMessage): string | undefined {
    return this.options.refs.seal({ chat, id, author: kind === "group" ? author : "", fromMe, at, type, ...headContent(message) });
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

interface Sides {
  readonly chat: WhatsAppChat;
  readonly author: { readonly author?: WhatsAppChat };
}

/** Returns `undefined` for what has no event, such as a deletion in a private chat by somebody who did not write the message. */
function typeOf({ kind }: IncomingStanza, content: Content): EventType | undefined {
  if (kind === "channel") return content.kind === "message" ? "channel.message.new" : undefined;
  if (content.kind === "reaction") return "message.reaction";
  if (kind === "private") {
    if (content.kind === "deleted" && !content.ofAuthor) return undefined;
    return content.kind === "message" ? "message.new" : `message.${content.kind}`;
  }
  return content.kind === "message" ? "group.message.new" : `group.message.${content.kind}`;
}

/** An invalid time counts as the time of the event's arrival. */
export function isoDate(ms: number): string {
  return new Date(Number.isSafeInteger(ms) && ms > 0 && ms <= latestMs ? ms : Date.now()).toISOString();
}

/** Later years have more than four digits, which most parsers of ISO 8601 reject. */
const latestMs = Date.parse("9999-12-31T23:59:59.999Z");
