import type { Api } from "telegram";
import type { Person, PrivateMessage, WebhookData, WebhookEventType } from "../../../shared/contract/telegram/webhook-body.js";
import type { Log } from "../../../shared/log/logger.js";
import type { UpdateEvent, UpdateLog } from "../../session/session-context.js";
import { messageRecord, type RecordParts } from "../chats/message-record.js";
import type { Client } from "../client.js";
import { isoDate } from "../convert.js";
import type { Change } from "./change.js";
import { eventId } from "./event-id.js";
import { LastEdits, stateOf } from "./last-edits.js";
import { type People, unknownPerson } from "./people.js";

/** One step of the update log, without its cursor. */
export interface ReadChanges {
  readonly events: readonly UpdateEvent[];
  /** Chat ids by message id, for every private message among the changes. */
  readonly messages: ReadonlyMap<string, string>;
  /** Marks of the last edit by message id, for every edited message. */
  readonly edits: ReadonlyMap<string, string>;
}

export interface EventReaderOptions extends RecordParts {
  readonly log: Pick<UpdateLog, "chatsOf" | "editsOf">;
  readonly people: People;
  readonly logger: Log;
}

/** Turns changes into events: finds the chats of deleted messages and the names of people, and builds the webhook payload. */
export class EventReader {
  constructor(private readonly options: EventReaderOptions) {}

  /** Returns events in the order of the changes. Rejects when the chats cannot be read or the connection is lost. */
  async read(client: Client, changes: readonly Change[], signal: AbortSignal): Promise<ReadChanges> {
    if (changes.length === 0) return { events: [], messages: new Map(), edits: new Map() };
    const messages = new Map(changes.flatMap((change) => remembered(change)));
    const located = await this.withChats(changes, messages);
    const edits = await this.editsOf(changes);
    const people = await this.options.people.describe(client, new Set(located.filter(isReported).map(({ chat }) => chat)), signal);
    return { events: located.flatMap((change) => this.eventOf(change, people, edits)), messages, edits: edits.noted };
  }

  private async editsOf(changes: readonly Change[]): Promise<LastEdits> {
    const ids = [...new Set(changes.flatMap((change) => (change.kind === "edited" ? [String(change.message.id)] : [])))];
    return new LastEdits(ids, ids.length === 0 ? [] : await this.options.log.editsOf(ids));
  }

  /** Splits each deletion by chat. Deletions of unknown messages are dropped. */
  private async withChats(changes: readonly Change[], messages: ReadonlyMap<string, string>): Promise<Located[]> {
    const missing = [
      ...new Set(changes.flatMap((change) => (change.kind === "deleted" && !change.own ? change.ids.map(String) : []))),
    ].filter((id) => !messages.has(id));
    const found = missing.length === 0 ? [] : await this.options.log.chatsOf(missing);
    const chats = new Map([...messages, ...missing.flatMap((id, at) => (found[at] === undefined ? [] : [[id, found[at]] as const]))]);
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

  /** A change that fails to build is a defect. It is skipped, so that it does not block the changes after it. */
  private eventOf(change: Located, people: ReadonlyMap<string, Person>, edits: LastEdits): UpdateEvent[] {
    // Own edits pass: the edit is recorded, so that a later reaction is not taken for an edit.
    if (change.kind === "sent" || (change.own && change.kind !== "edited")) return [];
    try {
      const event = this.event(change, people.get(change.chat) ?? unknownPerson(change.chat), edits);
      return event === undefined || change.own ? [] : [event];
    } catch (error) {
      this.options.logger.error({ err: error, kind: change.kind }, "event conversion failed");
      return [];
    }
  }

  /** Returns `undefined` when the update of an edited message is no edit, such as a reaction. */
  private event(change: Reported, who: Person, edits: LastEdits): UpdateEvent | undefined {
    const { chat } = change;
    switch (change.kind) {
      case "new": {
        const { message } = change;
        const record = this.record(message, who);
        const event = this.build("message.new", chat, [message.id], message.date, record);
        if (message.editDate) edits.noteNew(record, event.id);
        return event;
      }
      case "edited": {
        const { message, since } = change;
        const editedAt = message.editDate ?? message.date;
        const record = this.record(message, who);
        const former = edits.before(record);
        if (former === "same" || (former === undefined && editedAt < since - editLateSeconds)) return undefined;
        const event = this.build("message.edited", chat, [message.id, editedAt, stateOf(record), ...(former ?? [])], editedAt, record);
        edits.note(record, event.id);
        return event;
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
    return messageRecord(this.options, message, chat);
  }
}

type Located = Exclude<Change, { kind: "deleted" }> | (Extract<Change, { kind: "deleted" }> & { readonly chat: string });
type Reported = Exclude<Located, { kind: "sent" }>;

/** The session's own actions produce no event, because the caller already knows of them. */
function isReported(change: Located): change is Reported {
  return change.kind !== "sent" && !change.own;
}

function remembered(change: Change): (readonly [string, string])[] {
  if (change.kind === "new" || change.kind === "edited") return [[String(change.message.id), change.chat]];
  return change.kind === "sent" ? [[String(change.message), change.chat]] : [];
}

/** Tolerance for differing server clocks and delayed pushes. */
const editLateSeconds = 300;
