import { deadLetterMs, deadLettersMax, outboxMaxBytes, outboxMaxEvents } from "../../../shared/limits.js";
import { slotOf } from "../../../shared/contract/slot.js";
import { keys } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { advance, forgetUpdates } from "./scripts.js";
import type { UpdateEvent } from "../session-context.js";
import type { DataKey } from "./data-key.js";
import type { SessionKey } from "../../../shared/session/session-key.js";
import { historyMs, sealEntry } from "./session-history.js";
import type { SessionSlot } from "./session-slot.js";

/** Most messages whose chat is kept, and as many older ones: 2 to 4 MB of Redis. A delete of an older message has no chat, so no event. */
const chatsMax = 20_000;
/** Counted from the session's last message. */
export const chatsMs = 30 * 24 * 3_600_000;
/** The cursor moves with the events, so only events around one step can come twice; a step has a few hundred at most. */
const seenMax = 2_000;
export const seenMs = 24 * 3_600_000;
/** Fields that one command reads from Redis. */
const fieldsAtOnce = 1_000;

/** One step of a session's updates, as `UpdateLog` describes it. */
export interface UpdateStep {
  readonly cursor: string;
  readonly events: readonly UpdateEvent[];
  /** Message id -> chat id. */
  readonly messages: ReadonlyMap<string, string>;
  /** Message id -> mark of its last edit. */
  readonly edits?: ReadonlyMap<string, string>;
  /** Name -> position; an empty one removes it. */
  readonly positions?: ReadonlyMap<string, string>;
}

/** What a step changed in the outbox. */
export interface StepOutcome {
  readonly appended: number;
  /** Oldest events that became dead letters because the outbox was full. */
  readonly overflowed: number;
}

/**
 * Position in a session's updates, and the step that puts their events into the outbox (shared/README.md, "Webhook records"). Texts are
 * sealed with the session's data key, ids are hashed. Writes name the token and reject with `FencedError`.
 */
export class SessionUpdates {
  constructor(
    private readonly redis: RedisClient,
    private readonly slot: SessionSlot,
    private readonly dataKey: DataKey,
  ) {}

  /** Returns `undefined` for an altered cursor. */
  async cursor(): Promise<string | undefined> {
    const key = await this.dataKey.get();
    const stored = await this.redis.hgetBuffer(keys.webhook(this.slot.id), "cursor");
    return stored === null ? undefined : openedOrNone(() => key.openText(stored, cursorField));
  }

  /** Durable before it resolves. A repeat of the same step changes nothing more. Writes nothing for a session that is gone. */
  async advance({ cursor, events, messages, edits = nothing, positions = nothing }: UpdateStep): Promise<StepOutcome> {
    const key = await this.dataKey.get();
    // Edit marks are stored beside the chats, and are evicted as chats are.
    const noted = [
      ...[...messages].map(([message, chat]) => [messageName(key, message), chat] as const),
      ...[...edits].map(([message, mark]) => [editName(key, message), mark] as const),
    ];
    return await writeStep(this.redis, this.slot, key, {
      cursor: key.sealText(cursor, cursorField),
      messages: noted.map(([hashed, text]) => [hashed, sealChat(key, hashed, text)]),
      secrets: [...positions].map(([name, text]) => {
        const hashed = positionName(key, name);
        return [hashed, text === "" ? "" : key.seal(Buffer.from(text), positionContext(name))];
      }),
      events,
      mostEntries: 0,
    });
  }

  /** Returns true when an event with this id was appended, or dropped while the webhook was off, within the last day. */
  async seen(eventId: string): Promise<boolean> {
    const key = await this.dataKey.get();
    return (await this.redis.zscore(keys.seenEvents(this.slot.id), seenName(key, eventId))) !== null;
  }

  chatsOf(messageIds: readonly string[]): Promise<(string | undefined)[]> {
    return this.noted(messageIds, messageName);
  }

  editsOf(messageIds: readonly string[]): Promise<(string | undefined)[]> {
    return this.noted(messageIds, editName);
  }

  /** Positions are stored beside the secrets, which nothing evicts. */
  async positionsOf(names: readonly string[]): Promise<(string | undefined)[]> {
    const key = await this.dataKey.get();
    const found: (string | undefined)[] = [];
    for (let start = 0; start < names.length; start += fieldsAtOnce) {
      const batch = names.slice(start, start + fieldsAtOnce);
      const values = await this.redis.hmgetBuffer(keys.secrets(this.slot.id), ...batch.map((name) => positionName(key, name)));
      found.push(
        ...batch.map((name, index) => {
          const sealed = values[index];
          return sealed == null ? undefined : openedOrNone(() => key.open(sealed, positionContext(name)).toString());
        }),
      );
    }
    return found;
  }

  private async noted(
    messageIds: readonly string[],
    nameOf: (key: SessionKey, message: string) => string,
  ): Promise<(string | undefined)[]> {
    const key = await this.dataKey.get();
    const found: (string | undefined)[] = [];
    for (let start = 0; start < messageIds.length; start += fieldsAtOnce) {
      const names = messageIds.slice(start, start + fieldsAtOnce).map((message) => nameOf(key, message));
      const { id } = this.slot;
      // Reads the older chats last: chats that became older in between are found there.
      const [chats, older] = await Promise.all([
        this.redis.hmgetBuffer(keys.messageChats(id), ...names),
        this.redis.hmgetBuffer(keys.olderChats(id), ...names),
      ]);
      found.push(
        ...names.map((hashed, index) => {
          const sealed = chats[index] ?? older[index];
          return sealed == null ? undefined : openedOrNone(() => key.open(sealed, chatContext(hashed)).toString());
        }),
      );
    }
    return found;
  }

  async forget(): Promise<void> {
    const { id, token } = this.slot;
    await forgetUpdates(
      this.redis,
      [keys.owner(slotOf(id)), keys.webhook(id), keys.messageChats(id), keys.olderChats(id), keys.seenEvents(id)],
      [token],
    );
  }
}

/** A step as the script takes it: everything but the events is sealed. */
export interface SealedStep {
  /** Empty: the stored cursor stays. */
  readonly cursor: Buffer | "";
  readonly messages: readonly (readonly [hashedId: string, chat: Buffer])[];
  /** An empty value deletes the secret. */
  readonly secrets: readonly (readonly [hashedField: string, value: Buffer | ""])[];
  readonly events: readonly UpdateEvent[];
  /** Most entries of the session's history; 0: it is off. */
  readonly mostEntries: number;
}

/** Writes all parts of a step, or none. */
export async function writeStep(
  redis: RedisClient,
  { id, token }: SessionSlot,
  key: SessionKey,
  { cursor, messages, secrets, events, mostEntries }: SealedStep,
): Promise<StepOutcome> {
  const [, appended, overflowed] = await advance(
    redis,
    [
      keys.owner(slotOf(id)),
      keys.session(id),
      keys.webhook(id),
      keys.messageChats(id),
      keys.olderChats(id),
      keys.seenEvents(id),
      keys.outbox(id),
      keys.deadLetters(id),
      keys.secrets(id),
      keys.history(id),
    ],
    [
      token,
      cursor,
      chatsMax,
      chatsMs,
      seenMax,
      seenMs,
      outboxMaxEvents,
      outboxMaxBytes,
      deadLettersMax,
      deadLetterMs,
      messages.length,
      secrets.length,
      mostEntries,
      historyMs,
      ...messages.flat(),
      ...secrets.flat(),
      ...events.flatMap((event) => [
        seenName(key, event.id),
        event.id,
        event.type,
        event.created,
        instantOf(event.created),
        event.to === "history" ? "" : key.seal(bodyOf(id, event), eventContext(event.id)),
        mostEntries > 0 ? sealEntry(key, event) : "",
      ]),
    ],
  );
  return { appended, overflowed };
}

const cursorField = "cursor";
const nothing: ReadonlyMap<string, string> = new Map();
const positionName = (key: SessionKey, name: string): string => key.name("position", name);
const positionContext = (name: string): string => `up|${name}`;
const messageName = (key: SessionKey, message: string): string => key.name("message", message);
const editName = (key: SessionKey, message: string): string => key.name("edit", message);
export const seenName = (key: SessionKey, event: string): string => key.name("seen", event);
const sealChat = (key: SessionKey, hashed: string, chat: string): Buffer => key.seal(Buffer.from(chat), chatContext(hashed));

const chatContext = (hashed: string): string => `uc|${hashed}`;

/** A value altered in Redis counts as absent. */
function openedOrNone(open: () => string): string | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** A body opens only for its own session and event. */
export const eventContext = (event: string): string => `e|${event}`;

/** Returns the bytes of the request, the same in every repeat. */
export function bodyOf(session: string, { id, type, created, data }: UpdateEvent): Buffer {
  return Buffer.from(JSON.stringify({ id, type, session, created, data }));
}

/** An unreadable time counts as the latest, so that the event is delivered. */
function instantOf(created: string): number {
  const at = Date.parse(created);
  return Number.isNaN(at) ? Number.MAX_SAFE_INTEGER : at;
}
