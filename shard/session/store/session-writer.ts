import { randomBytes } from "node:crypto";
import type { NewSession } from "../../../shared/contract/command-row.js";
import type { CommandId, SessionId } from "../../../shared/contract/ids.js";
import type { Platform } from "../../../shared/contract/platform.js";
import { slotOf } from "../../../shared/contract/slot.js";
import { deadLetterMs, idempotencyMs } from "../../../shared/limits.js";
import type { KeyRing } from "../../../shared/config/key-ring.js";
import { keys } from "../../../shared/redis/keys.js";
import { TimeSlice } from "../../flow/time-slice.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { markGone } from "../../../shared/session/gone-secrets.js";
import { createSession, deleteSession, stampSession, undeleteSession, writeFields, writeState } from "./scripts.js";
import { dataKeyContext } from "../../../shared/session/data-key.js";
import { DataKey, SessionGone } from "./data-key.js";
import { RecordTexts } from "../../../shared/session/record-texts.js";
import { SessionKey } from "../../../shared/session/session-key.js";
import { historyMs, SessionHistory } from "./session-history.js";
import { SessionOutbox } from "./session-outbox.js";
import { SessionPeers } from "./session-peers.js";
import {
  linkIn,
  loadedFields,
  loadedSession,
  macOf,
  openSummary,
  sealedOrEmpty,
  sealedState,
  type LoadedSession,
} from "./session-record.js";
import { SessionSecrets } from "./session-secrets.js";
import type { SessionSlot } from "./session-slot.js";
import { chatsMs, seenMs, SessionUpdates } from "./session-updates.js";
import { initialState, restarted, type SessionState } from "../../../shared/session/state.js";
import { tenantIn, TenantSessions } from "./tenant-sessions.js";
import { openState, unopenedState } from "../../../shared/session/stored-state.js";
import type { StoredHealth } from "../../../shared/session/stored-health.js";
import type { SessionLife } from "../../../shared/session/summary.js";
import { openRecord, UnreadableRecord } from "../../../shared/session/unreadable-record.js";

/** A QR code is a login secret, so it stays in Redis for at most 60 s. */
const qrLifetimeMs = 60_000;
/** How long a timer's deletion can be undone. */
const trashLifetimeMs = 24 * 3_600_000;
/** Records are opened for this long in one turn of the event loop. */
const sliceMs = 10;

/** Writes sessions as the owner of their slots. Every write names the token and rejects with `FencedError` when it is not the slot's. */
export class SessionWriter {
  private readonly tenants: TenantSessions;

  constructor(
    private readonly redis: RedisClient,
    private readonly ring: KeyRing,
    /** Most entries of each session's history; 0: none is kept. */
    private readonly mostEntries = 0,
  ) {
    this.tenants = new TenantSessions(redis);
  }

  /** Returns `"TAKEN"` when the id exists with another secret. */
  async create(slot: SessionSlot, platform: Platform, newSession: NewSession, createdAt: Date): Promise<"NEW" | "EXISTS" | "TAKEN"> {
    const bytes = randomBytes(32);
    const key = new SessionKey(slot.id, bytes);
    const first = sealedState(key, initialState, { since: createdAt, lastError: "" });
    return await createSession(
      this.redis,
      [keys.owner(slotOf(slot.id)), keys.session(slot.id), keys.slotSessions(slotOf(slot.id))],
      [
        slot.token,
        slot.id,
        platform,
        newSession.secretHash,
        createdAt.toISOString(),
        first.state,
        this.ring.seal(bytes, dataKeyContext(slot.id)),
        newSession.tenant,
        sealedOrEmpty(key, newSession.label, "label"),
        sealedOrEmpty(key, newSession.metadata, "metadata"),
        first.mac,
        sealedOrEmpty(key, newSession.proxy ?? "", "proxy"),
        newSession.proxyOf ?? "",
        newSession.incarnation ?? "",
      ],
    );
  }

  /**
   * Loads the sessions of slots that this process has just acquired. Skips a record that cannot be read, and passes its id to
   * `onUnreadable`.
   */
  async load(slots: readonly number[], onUnreadable: (id: SessionId) => void): Promise<LoadedSession[]> {
    const ids = (await Promise.all(slots.map((slot) => this.redis.smembers(keys.slotSessions(slot))))).flat() as SessionId[];
    const loaded = await this.read(ids, onUnreadable);
    // Not awaited: no session depends on it.
    void this.tenants.add(loaded);
    return loaded;
  }

  private async read(ids: readonly SessionId[], onUnreadable: (id: SessionId) => void): Promise<LoadedSession[]> {
    const rows = await Promise.all(ids.map(async (id) => ({ id, row: await this.redis.hmgetBuffer(keys.session(id), ...loadedFields) })));
    const slice = new TimeSlice(sliceMs);
    const sessions: LoadedSession[] = [];
    for (const { id, row } of rows) {
      while (slice.isSpent()) await slice.yield();
      const session = loadedSession(this.ring, id, row);
      if (session === undefined) onUnreadable(id);
      else sessions.push(session);
    }
    return sessions;
  }

  /** Returns `undefined` when the session is gone, or the stored value is no state. */
  async readState(id: SessionId): Promise<SessionState | undefined> {
    const [state, wrapped] = await this.redis.hmgetBuffer(keys.session(id), "state", "dk");
    return openState(new RecordTexts(this.ring, id, wrapped), state);
  }

  /**
   * `qrPng`: base64, `""` removes the stored one, `undefined` keeps it. Returns false when the session is gone. While its data key does not
   * open, only the record's stamp is written.
   */
  async writeState(
    slot: SessionSlot,
    state: SessionState,
    life: SessionLife,
    qrPng: string | undefined,
    dataKey: DataKey = this.dataKey(slot),
  ): Promise<boolean> {
    const { id, token } = slot;
    const names = [keys.owner(slotOf(id)), keys.session(id), keys.qr(id)] as [string, string, string];
    const key = await sealingKeyOf(dataKey);
    if (key === "gone") return false;
    if (key === "unreadable") return (await stampSession(this.redis, names, [token])) !== "GONE";
    const sealed = sealedState(key, state, life);
    const picture = qrPng === undefined ? "=" : sealedOrEmpty(key, qrPng, "qr");
    const reply = await writeState(this.redis, names, [
      token,
      sealed.state,
      sealed.mac,
      picture,
      qrLifetimeMs,
      sealed.account,
      sealed.summary,
    ]);
    return reply !== "GONE";
  }

  /**
   * `basedOn`: the stored state that a timer judged (kept in the trash for a day); absent for the owner's deletion. Returns false when the
   * state changed meanwhile.
   */
  async remove(slot: SessionSlot, basedOn: SessionState | undefined, dataKey: DataKey = this.dataKey(slot)): Promise<boolean> {
    const { id } = slot;
    const mac = basedOn === undefined ? "" : macOf(await dataKey.get(), basedOn);
    const tenant = tenantIn(await this.redis.hget(keys.session(id), "tenant"));
    await markGone(this.redis, basedOn === undefined ? 0 : trashLifetimeMs);
    const reply = await deleteSession(
      this.redis,
      [
        keys.owner(slotOf(id)),
        keys.session(id),
        keys.slotSessions(slotOf(id)),
        keys.slotTrash(slotOf(id)),
        keys.qr(id),
        keys.sentIndex(id),
        keys.idempotencyKeys(id),
        ...ownKeys(id).flatMap(({ key }) => [key, keys.trash(key)]),
      ],
      [slot.token, id, mac, trashLifetimeMs, keys.sentPrefix(id)],
    );
    if (reply === "CHANGED") return false;
    await this.tenants.remove(tenant, id);
    return true;
  }

  /** Takes a session that a timer deleted out of the trash; its time begins anew. The same `command` may be repeated. */
  async undelete(slot: SessionSlot, command: CommandId): Promise<LoadedSession | "LIVES" | "NONE"> {
    const { id } = slot;
    const [stored, wrapped, summary] = await this.redis.hmgetBuffer(keys.trash(keys.session(id)), "state", "dk", "summary");
    const own = ownKeys(id);
    const reply = await undeleteSession(
      this.redis,
      [
        keys.owner(slotOf(id)),
        keys.session(id),
        keys.slotSessions(slotOf(id)),
        keys.slotTrash(slotOf(id)),
        ...own.flatMap(({ key }) => [key, keys.trash(key)]),
      ],
      [slot.token, id, ...this.restartedState(id, stored, wrapped, summary), command, ...own.map(({ lifetimeMs }) => lifetimeMs ?? "")],
    );
    if (reply === "LIVES" || reply === "NONE") return reply;
    const [session] = await this.read([id], () => undefined);
    if (session === undefined) return "NONE";
    await this.tenants.add([session]);
    return session;
  }

  /** Returns the state that a restored session begins with, its MAC and its summary, for `undeleteSession`. */
  private restartedState(
    id: SessionId,
    stored: Buffer | null | undefined,
    wrapped: Buffer | null | undefined,
    summary: Buffer | null | undefined,
  ): [state: Buffer | "" | "=", mac: string, summary: Buffer | ""] {
    const texts = new RecordTexts(this.ring, id, wrapped);
    const state = openState(texts, stored);
    if (state === undefined) return ["", "", ""];
    if (state === unopenedState) return ["=", "", ""];
    const openedSummary = openSummary(texts, summary);
    const life = { since: new Date(), lastError: openedSummary?.lastError ?? "", ...linkIn(openedSummary) };
    const sealed = sealedState(texts.key, restarted(state), life);
    return [sealed.state, sealed.mac, sealed.summary];
  }

  /** Rejects with `UnreadableRecord` when credentials exist and do not open. */
  async readCredentials(id: SessionId): Promise<Buffer | undefined> {
    const [wrapped, sealed] = await this.redis.hmget(keys.session(id), "dk", "creds");
    // Unwrapped even without credentials: those of the next login will be sealed with it.
    const key = wrapped == null ? undefined : SessionKey.unwrap(this.ring, id, wrapped);
    if (sealed == null) return undefined;
    if (key === undefined) throw new UnreadableRecord("data key");
    return openRecord("credentials", () => key.open(Buffer.from(sealed, "base64url"), "creds"));
  }

  /** Returns the session's own proxy; empty without one. Rejects with `UnreadableRecord` when it does not open. */
  async readProxy(id: SessionId): Promise<string> {
    const [wrapped, sealed] = await this.redis.hmgetBuffer(keys.session(id), "dk", "proxy");
    return new RecordTexts(this.ring, id, wrapped).open(sealed, "proxy");
  }

  /**
   * Stores the proxy, empty for none, and no longer as that of an API key. Writes nothing for a session that is gone. Rejects with
   * `UnreadableRecord` when the data key does not open.
   */
  async writeProxy({ id, token }: SessionSlot, proxy: string, dataKey: DataKey): Promise<void> {
    const sealed = sealedOrEmpty(await dataKey.get(), proxy, "proxy");
    await writeFields(this.redis, [keys.owner(slotOf(id)), keys.session(id), keys.session(id)], [token, 0, "proxy", sealed, "proxyOf", ""]);
  }

  /**
   * Stores how the platform treats the account. Writes nothing for a session that is gone. Rejects with `UnreadableRecord` when the data
   * key does not open.
   */
  async writeHealth({ id, token }: SessionSlot, health: StoredHealth, dataKey: DataKey): Promise<void> {
    const sealed = (await dataKey.get()).sealText(JSON.stringify(health), "health");
    await writeFields(this.redis, [keys.owner(slotOf(id)), keys.session(id), keys.session(id)], [token, 0, "health", sealed]);
  }

  /** Resolves once Redis has stored them. Writes nothing for a session that is gone. */
  async writeCredentials(slot: SessionSlot, credentials: Buffer): Promise<void> {
    const wrapped = await this.redis.hget(keys.session(slot.id), "dk");
    if (wrapped === null) return;
    const sealed = SessionKey.unwrap(this.ring, slot.id, wrapped).seal(credentials, "creds");
    await this.writeCredentialsField(slot, sealed.toString("base64url"));
  }

  async clearCredentials(slot: SessionSlot): Promise<void> {
    await this.writeCredentialsField(slot, "");
  }

  /** Returns the data key that `create` made. `loaded` is that key if the caller has it. Does no I/O before its first use. */
  dataKey(slot: SessionSlot, loaded?: SessionKey): DataKey {
    const { id } = slot;
    return new DataKey(async () => {
      const wrapped = await this.redis.hget(keys.session(id), "dk");
      if (wrapped === null) throw new SessionGone();
      return SessionKey.unwrap(this.ring, id, wrapped);
    }, loaded);
  }

  secrets(slot: SessionSlot, dataKey: DataKey = this.dataKey(slot)): SessionSecrets {
    return new SessionSecrets(this.redis, slot, dataKey, this.mostEntries);
  }

  updates(slot: SessionSlot, dataKey: DataKey = this.dataKey(slot)): SessionUpdates {
    return new SessionUpdates(this.redis, slot, dataKey);
  }

  history(slot: SessionSlot, dataKey: DataKey = this.dataKey(slot)): SessionHistory {
    return new SessionHistory(this.redis, slot, dataKey, this.mostEntries);
  }

  outbox(slot: SessionSlot, dataKey: DataKey = this.dataKey(slot)): SessionOutbox {
    return new SessionOutbox(this.redis, slot, this.ring, dataKey);
  }

  peers(slot: SessionSlot, dataKey: DataKey = this.dataKey(slot)): SessionPeers {
    return new SessionPeers(this.redis, slot, dataKey);
  }

  private async writeCredentialsField({ id, token }: SessionSlot, sealed: string): Promise<void> {
    await writeFields(this.redis, [keys.owner(slotOf(id)), keys.session(id), keys.session(id)], [token, 0, "creds", sealed]);
  }
}

/** Returns the key that seals a state, or why there is none. */
async function sealingKeyOf(dataKey: DataKey): Promise<SessionKey | "gone" | "unreadable"> {
  try {
    return await dataKey.get();
  } catch (error) {
    if (error instanceof SessionGone) return "gone";
    if (error instanceof UnreadableRecord) return "unreadable";
    throw error;
  }
}

/**
 * Returns the keys of a session, its record first, which a timer's deletion moves to the trash. `lifetimeMs`: lifetime after the last
 * write, kept for a restore. Sent messages are left out: devices request them within seconds.
 */
function ownKeys(id: SessionId): { key: string; lifetimeMs?: number }[] {
  return [
    { key: keys.session(id) },
    { key: keys.secrets(id) },
    { key: keys.peers(id) },
    { key: keys.webhook(id) },
    { key: keys.messageChats(id), lifetimeMs: chatsMs },
    { key: keys.olderChats(id), lifetimeMs: chatsMs },
    { key: keys.seenEvents(id), lifetimeMs: seenMs },
    { key: keys.outbox(id) },
    { key: keys.deadLetters(id), lifetimeMs: deadLetterMs },
    { key: keys.history(id), lifetimeMs: historyMs },
    { key: keys.idempotencyKeys(id), lifetimeMs: idempotencyMs },
  ];
}
