import { createHash } from "node:crypto";
import type { Api } from "telegram";
import type { SessionId } from "../../../shared/contract/ids.js";
import type { Person, PrivateMessage, WebhookData, WebhookEventType } from "../../../shared/contract/telegram/webhook-body.js";
import type { Log } from "../../../shared/log/logger.js";
import type { UpdateEvent, UpdateLog } from "../../session/session-context.js";
import { toPrivateMessage } from "../chats/private-message.js";
import type { Client } from "../client.js";
import { isoDate } from "../convert.js";
import type { LinkPort } from "../services.js";
import type { Change } from "./change.js";
import { eventId } from "./event-id.js";
import { type People, unknownPerson } from "./people.js";

/** One step of the update log, but for its cursor. */
export interface ReadChanges {
  readonly events: readonly UpdateEvent[];
  /** Message id -> chat id, of every message of a private chat that the changes tell of. */
  readonly messages: ReadonlyMap<string, string>;
}

export interface EventReaderOptions {
  readonly session: SessionId;
  readonly log: Pick<UpdateLog, "chatsOf">;
  readonly links: LinkPort;
  readonly people: People;
  readonly logger: Log;
}

/** Makes events of changes: finds the chats of deleted messages and the names of people, and builds what the receiver gets. */
export class EventReader {
  constructor(private readonly options: EventReaderOptions) {}

  /** Keeps the order of the changes. Rejects when the chats cannot be read or the connection is lost. */
  async read(client: Client, changes: readonly Change[], signal: AbortSignal): Promise<ReadChanges> {
    if (changes.length === 0) return { events: [], messages: new Map() };
    const messages = new Map(changes.flatMap((change) => remembered(change)));
    const told = (await this.withChats(changes, messages)).filter(isTold);
    const people = await this.options.people.describe(client, new Set(told.map(({ chat }) => chat)), signal);
    return { events: told.flatMap((change) => this.eventOf(change, people.get(change.chat))), messages };
  }

  /** Deletions get a chat, or become several, one for each; those of unknown messages are gone. */
  private async withChats(changes: readonly Change[], messages: ReadonlyMap<string, string>): Promise<Located[]> {
    const asked = [
      ...new Set(changes.flatMap((change) => (change.kind === "deleted" && !change.own ? change.ids.map(String) : []))),
    ].filter((id) => !messages.has(id));
    const found = asked.length === 0 ? [] : await this.options.log.chatsOf(asked);
    const chats = new Map([...messages, ...asked.flatMap((id, at) => (found[at] === undefined ? [] : [[id, found[at]] as const]))]);
    return changes.flatMap((change): Located[] => {
      if (change.kind !== "deleted") return [change];
      const byChat = new Map<string, number[]>();
      for (const id of change.ids) {
        const chat = chats.get(String(id));
        if (chat !== undefined) byChat.set(chat, [...(byChat.get(chat) ?? []), id]);
      }
      return [...byChat].map(([chat, ids]) => ({ ...change, chat, ids }));
    });
  }

  /** One that cannot be built, which is a defect, is left out: it must not hold up all that come after it. */
  private eventOf(change: Told, person: Person | undefined): UpdateEvent[] {
    try {
      return [this.event(change, person)];
    } catch (error) {
      this.options.logger.error({ err: error, kind: change.kind }, "event could not be built");
      return [];
    }
  }

  private event(change: Told, person: Person | undefined): UpdateEvent {
    const { chat } = change;
    const who = person ?? unknownPerson(chat);
    switch (change.kind) {
      case "new":
        return this.build("message.new", chat, [change.message.id], change.message.date, this.record(change.message, who));
      case "edited": {
        const record = this.record(change.message, who);
        return this.build(
          "message.edited",
          chat,
          [change.message.id, change.message.editDate ?? 0, contentDigest(record)],
          change.message.editDate ?? change.message.date,
          record,
        );
      }
      case "deleted":
        return this.build(
          "message.deleted",
          chat,
          [...change.ids].sort((a, b) => a - b),
          change.date,
          { chat: who, ids: change.ids.map(String) },
        );
      case "read":
        return this.build("message.read", chat, [change.by, change.until], change.date, {
          chat: who,
          until: String(change.until),
          by: change.by,
        });
      default:
        return change satisfies never;
    }
  }

  private build<T extends WebhookEventType>(
    type: T,
    chat: string,
    parts: readonly (string | number)[],
    date: number,
    data: WebhookData[T],
  ): UpdateEvent {
    return { id: eventId(this.options.session, type, chat, parts), type, created: isoDate(date), data };
  }

  private record(message: Api.Message, chat: Person): PrivateMessage {
    const { links, session } = this.options;
    return toPrivateMessage(message, chat, (messageId, variant, ext) =>
      links.mediaUrl(session, { chatId: chat.id, messageId: String(messageId), variant }, ext),
    );
  }
}

type Located = Exclude<Change, { kind: "deleted" }> | (Extract<Change, { kind: "deleted" }> & { readonly chat: string });
type Told = Exclude<Located, { kind: "sent" }>;

/** What this session did itself is known to whoever told it to. */
function isTold(change: Located): change is Told {
  return change.kind !== "sent" && !change.own;
}

function remembered(change: Change): (readonly [string, string])[] {
  if (change.kind === "new" || change.kind === "edited") return [[String(change.message.id), change.chat]];
  return change.kind === "sent" ? [[String(change.message), change.chat]] : [];
}

/** Of what an edit can change. Links are left out: their signature changes with the ring of keys. */
function contentDigest({ type, text, mimetype, name, size, duration, width, height, location, contact }: PrivateMessage): string {
  return createHash("sha256")
    .update(JSON.stringify([type, text, mimetype, name, size, duration, width, height, location, contact]))
    .digest("base64url");
}
