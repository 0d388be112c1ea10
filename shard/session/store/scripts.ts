import type { SlotToken } from "../../../shared/cluster/ownership.js";
import type { CommandId, SessionId } from "../../../shared/contract/ids.js";
import type { Platform } from "../../../shared/contract/platform.js";
import { script } from "../../../shared/redis/script.js";
import { integer, text, tuple, literal } from "../../../shared/redis/script-reply.js";

const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);
const isThere = literal(0, 1);

/** Marks writes that no other source could supply again. */
const kept = { isKept: true };

/** Each key with its place in the trash, the session's own key first. */
type KeysAndTrash = string[];

export const createSession = script<
  [owner: string, session: string, slotSessions: string],
  [
    token: SlotToken,
    id: SessionId,
    platform: Platform,
    secretHash: string,
    created: string,
    state: Buffer,
    wrappedDataKey: string,
    tenant: string,
    label: Buffer | "",
    metadata: Buffer | "",
    stateMac: string,
    proxy: Buffer | "",
    proxyOf: "key" | "",
    incarnation: string,
  ],
  "NEW" | "EXISTS" | "TAKEN"
>(lua("create-session"), literal("NEW", "EXISTS", "TAKEN"), kept);

export const writeState = script<
  [owner: string, session: string, qr: string],
  [
    token: SlotToken,
    state: Buffer,
    stateMac: string,
    qrPng: Buffer | "" | "=",
    qrLifetimeMs: number,
    account: Buffer | "",
    summary: Buffer | "",
  ],
  "OK" | "GONE"
>(lua("write-state"), literal("OK", "GONE"), kept);

export const stampSession = script<[owner: string, session: string, qr: string], [token: SlotToken], "OK" | "GONE">(
  lua("stamp-session"),
  literal("OK", "GONE"),
);

export const deleteSession = script<
  [
    owner: string,
    session: string,
    slotSessions: string,
    slotTrash: string,
    qr: string,
    sentIndex: string,
    idempotencyKeys: string,
    ...own: KeysAndTrash,
  ],
  [token: SlotToken, id: SessionId, macOfBasedOn: string, trashLifetimeMs: number, sentPrefix: string],
  "DELETED" | "CHANGED" | "GONE"
>(lua("delete-session"), literal("DELETED", "CHANGED", "GONE"), kept);

export const undeleteSession = script<
  [owner: string, session: string, slotSessions: string, slotTrash: string, ...own: KeysAndTrash],
  [
    token: SlotToken,
    id: SessionId,
    state: Buffer | "" | "=",
    stateMac: string,
    summary: Buffer | "",
    command: CommandId,
    ...lifetimesMs: (number | "")[],
  ],
  "UNDELETED" | "LIVES" | "NONE"
>(lua("undelete-session"), literal("UNDELETED", "LIVES", "NONE"), kept);

/** `cap` 0 means no cap. Returns 0 for a session that is gone. */
export const writeFields = script<
  [owner: string, session: string, hash: string],
  [token: SlotToken, cap: number, ...fieldsAndValues: (string | Buffer)[]],
  0 | 1
>(lua("write-fields"), isThere, kept);

export const clearMap = script<[owner: string, key: string], [token: SlotToken], 1>(lua("clear-map"), literal(1));

export const writeSecrets = script<
  [owner: string, session: string, secrets: string],
  [token: SlotToken, ...fieldsAndValues: (string | Buffer)[]],
  0 | 1
>(lua("write-secrets"), isThere, kept);

export const keepSent = script<
  [owner: string, session: string, sent: string, sentIndex: string, history: string],
  [
    token: SlotToken,
    messageId: string,
    sealed: Buffer,
    lifetimeMs: number,
    most: number,
    sentPrefix: string,
    entry: Buffer | "",
    mostEntries: number,
    entriesMs: number,
  ],
  0 | 1
>(lua("keep-sent"), isThere);

/** `outcome` is GONE if the session was deleted; nothing was written then. */
export const advance = script<
  [
    owner: string,
    session: string,
    webhook: string,
    chats: string,
    olderChats: string,
    seen: string,
    outbox: string,
    deadLetters: string,
    secrets: string,
    history: string,
  ],
  [
    token: SlotToken,
    cursor: Buffer | "",
    mostChats: number,
    chatsMs: number,
    mostSeen: number,
    seenMs: number,
    mostEvents: number,
    mostBytes: number,
    mostLetters: number,
    lettersMs: number,
    messages: number,
    secrets: number,
    mostEntries: number,
    entriesMs: number,
    ...messagesSecretsAndEvents: (string | number | Buffer)[],
  ],
  [outcome: "OK" | "GONE", appended: number, overflowed: number]
>(lua("advance"), tuple(literal("OK", "GONE"), integer, integer), kept);

export const forgetUpdates = script<
  [owner: string, webhook: string, chats: string, olderChats: string, seen: string],
  [token: SlotToken],
  1
>(lua("forget-updates"), literal(1));

export const configureWebhook = script<
  [owner: string, session: string, webhook: string, outbox: string],
  [token: SlotToken, sealedSettings: string],
  [outcome: "OK" | "GONE", epoch: number, on: 0 | 1]
>(lua("configure-webhook"), tuple(literal("OK", "GONE"), integer, isThere), kept);

export const readOutbox = script<
  [session: string, webhook: string],
  [],
  [sealedSettings: string, epoch: number, head: string, attempts: number, waitMs: number]
>(lua("read-outbox"), tuple(text, integer, text, integer, integer));

export const endEvent = script<
  [owner: string, webhook: string, outbox: string, deadLetters: string],
  [token: SlotToken, entry: string, attempts: number, reason: string, mostLetters: number, lettersMs: number],
  0 | 1
>(lua("end-event"), isThere);

export const deferEvent = script<
  [owner: string, webhook: string, outbox: string],
  [token: SlotToken, entry: string, attempts: number, delayMs: number],
  0 | 1
>(lua("defer-event"), isThere);

export const appendTestEvent = script<
  [owner: string, session: string, webhook: string, seen: string, outbox: string],
  [
    token: SlotToken,
    mostEvents: number,
    mostBytes: number,
    hashedId: string,
    seenMs: number,
    event: string,
    created: string,
    body: Buffer,
    requestId: string,
  ],
  [outcome: "OK" | "OFF" | "FULL", waiting: number]
>(lua("append-test-event"), tuple(literal("OK", "OFF", "FULL"), integer));

export const replayDeadLetters = script<
  [owner: string, session: string, webhook: string, outbox: string, deadLetters: string],
  [token: SlotToken, mostEvents: number, mostBytes: number, requestId: string],
  [replayed: number, left: number, on: 0 | 1]
>(lua("replay-dead-letters"), tuple(integer, integer, isThere));
