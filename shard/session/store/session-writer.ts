import { randomBytes } from "node:crypto";
import type { NewSession } from "../../../shared/contract/command-row.js";
import type { CommandId, SessionId } from "../../../shared/contract/ids.js";
import { isPlatform, type Platform } from "../../../shared/contract/platform.js";
import type { TenantName } from "../../../shared/contract/tenant.js";
import { slotOf } from "../../../shared/cluster/slot.js";
import { deadLetterMs, idempotencyMs } from "../../../shared/limits.js";
import { openWith, sealWith, type KeyRing } from "../../../shared/crypto/key-ring.js";
import { keys } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { clearMap, createSession, deleteSession, undeleteSession, writeFields, writeState } from "./scripts.js";
import { DataKey, dataKeyContext } from "../../../shared/session/data-key.js";
import { SessionOutbox } from "./session-outbox.js";
import { SessionSecrets } from "./session-secrets.js";
import type { SessionSlot } from "./session-slot.js";
import { chatsMs, seenMs, SessionUpdates } from "./session-updates.js";
import { initialState, restarted, type SessionState } from "../../../shared/session/state.js";
import { tenantIn, TenantSessions } from "./tenant-sessions.js";
import { parseState } from "../../../shared/session/stored-state.js";
import { parseSummary, summaryOf, type SessionLife } from "../../../shared/session/summary.js";
import { openRecord, UnreadableRecord } from "../../../shared/session/unreadable-record.js";

/** It is a login secret: a QR stays in Redis for at most 60 s. */
const qrLifetimeMs = 60_000;
/** How long a timer's deletion can be undone. */
const trashLifetimeMs = 24 * 3_600_000;

export interface LoadedSession {
  id: SessionId;
  platform: Platform;
  tenant: TenantName;
  state: SessionState;
  life: SessionLife;
  /** Its webhook is on. */
  hasWebhook: boolean;
}

/** Writes sessions as the owner of their slots. Every write names the token and rejects with `FencedError` when it is not the slot's. */
export class SessionWriter {
  private readonly tenants: TenantSessions;

  constructor(
    private readonly redis: RedisClient,
    private readonly ring: KeyRing,
  ) {
    this.tenants = new TenantSessions(redis);
  }

  /** `"TAKEN"` when the id exists with another secret. */
  async create(slot: SessionSlot, platform: Platform, given: NewSession, createdAt: Date): Promise<"NEW" | "EXISTS" | "TAKEN"> {
    const dataKey = this.ring.seal(randomBytes(32), dataKeyContext(slot.id));
    return await createSession(
      this.redis,
      [keys.owner(slotOf(slot.id)), keys.session(slot.id), keys.slotSessions(slotOf(slot.id))],
      [
        slot.token,
        slot.id,
        platform,
        given.secretHash,
        createdAt.toISOString(),
        JSON.stringify(initialState),
        dataKey,
        given.tenant,
        given.label,
        given.metadata,
      ],
    );
  }

  /** Sessions of slots that this process has just acquired. A record that cannot be read is skipped and reported by `onUnreadable`. */
  async load(slots: readonly number[], onUnreadable: (id: SessionId) => void): Promise<LoadedSession[]> {
    const ids = (await Promise.all(slots.map((slot) => this.redis.smembers(keys.slotSessions(slot))))).flat() as SessionId[];
    const loaded = await this.read(ids, onUnreadable);
    // No session waits for it.
    void this.tenants.add(loaded);
    return loaded;
  }

  private async read(ids: readonly SessionId[], onUnreadable: (id: SessionId) => void): Promise<LoadedSession[]> {
    const rows = await Promise.all(ids.map((id) => this.redis.hmget(keys.session(id), "platform", "state", "wh", "summary", "tenant")));
    return rows.flatMap(([platform, stateText, webhook, summary, tenant], index) => {
      const id = ids[index];
      const state = stateText == null ? undefined : parseState(stateText);
      if (id !== undefined && state !== undefined && isPlatform(platform))
        return [{ id, platform, tenant: tenantIn(tenant), state, life: lifeOf(state, summary), hasWebhook: webhook != null }];
      if (id !== undefined) onUnreadable(id);
      return [];
    });
  }

  /** `qrPng`: base64, `""` removes the stored one, `undefined` keeps it. False when the session is gone. */
  async writeState(slot: SessionSlot, state: SessionState, life: SessionLife, qrPng: string | undefined): Promise<boolean> {
    const summary = summaryOf(state, life);
    const answer = await writeState(
      this.redis,
      [keys.owner(slotOf(slot.id)), keys.session(slot.id), keys.qr(slot.id)],
      [
        slot.token,
        storedForm(state),
        qrPng ?? "=",
        qrLifetimeMs,
        "account" in state ? state.account.generatedId : "",
        summary === undefined ? "" : JSON.stringify(summary),
      ],
    );
    return answer !== "GONE";
  }

  /** `basedOn`: the stored state that a timer judged (kept in the trash for a day); absent when the owner asked. False when the state changed meanwhile. */
  async remove(slot: SessionSlot, basedOn: SessionState | undefined): Promise<boolean> {
    const { id } = slot;
    const tenant = tenantIn(await this.redis.hget(keys.session(id), "tenant"));
    const answer = await deleteSession(
      this.redis,
      [
        keys.owner(slotOf(id)),
        keys.session(id),
        keys.slotSessions(slotOf(id)),
        keys.slotTrash(slotOf(id)),
        keys.qr(id),
        keys.sentIndex(id),
        ...ownKeys(id).flatMap(({ key }) => [key, keys.trash(key)]),
      ],
      [slot.token, id, basedOn === undefined ? "" : storedForm(basedOn), trashLifetimeMs, keys.sentPrefix(id)],
    );
    if (answer === "CHANGED") return false;
    await this.tenants.remove(tenant, id);
    return true;
  }

  /** Takes a session that a timer deleted out of the trash; its time begins anew. The same `command` may come again. */
  async undelete(slot: SessionSlot, command: CommandId): Promise<LoadedSession | "LIVES" | "NONE"> {
    const { id } = slot;
    const stored = await this.redis.hget(keys.trash(keys.session(id)), "state");
    const state = stored === null ? undefined : parseState(stored);
    const own = ownKeys(id);
    const answer = await undeleteSession(
      this.redis,
      [
        keys.owner(slotOf(id)),
        keys.session(id),
        keys.slotSessions(slotOf(id)),
        keys.slotTrash(slotOf(id)),
        ...own.flatMap(({ key }) => [key, keys.trash(key)]),
      ],
      [slot.token, id, state === undefined ? "" : storedForm(restarted(state)), command, ...own.map(({ lifetimeMs }) => lifetimeMs ?? "")],
    );
    if (answer === "LIVES" || answer === "NONE") return answer;
    const [session] = await this.read([id], () => undefined);
    if (session === undefined) return "NONE";
    await this.tenants.add([session]);
    return session;
  }

  /** Rejects with `UnreadableRecord` when they are there and do not open. */
  async readCredentials(id: SessionId): Promise<Buffer | undefined> {
    const [wrapped, sealed] = await this.redis.hmget(keys.session(id), "dk", "creds");
    // Without credentials too: those of the next login are to be sealed with it.
    const key = wrapped == null ? undefined : this.unwrap(id, wrapped);
    if (sealed == null) return undefined;
    if (key === undefined) throw new UnreadableRecord("data key");
    return openRecord("credentials", () => openWith(key, Buffer.from(sealed, "base64url"), credentialsContext(id)));
  }

  /** Resolves once Redis has it. Writes nothing for a session that is gone. */
  async writeCredentials(slot: SessionSlot, credentials: Buffer): Promise<void> {
    const wrapped = await this.redis.hget(keys.session(slot.id), "dk");
    if (wrapped === null) return;
    const sealed = sealWith(this.unwrap(slot.id, wrapped), credentials, credentialsContext(slot.id));
    await this.writeFields(slot, keys.session(slot.id), -1, ["creds", sealed.toString("base64url")]);
  }

  async clearCredentials(slot: SessionSlot): Promise<void> {
    await this.writeFields(slot, keys.session(slot.id), -1, ["creds", ""]);
  }

  /** The data key that `create` made. Does no I/O before it is asked for the key. */
  dataKey(id: SessionId): DataKey {
    return new DataKey(async () => {
      const wrapped = await this.redis.hget(keys.session(id), "dk");
      if (wrapped === null) throw new Error("session is gone");
      return this.unwrap(id, wrapped);
    });
  }

  private unwrap(id: SessionId, wrapped: string): Buffer {
    return openRecord("data key", () => this.ring.open(wrapped, dataKeyContext(id)));
  }

  secrets(slot: SessionSlot, dataKey: DataKey = this.dataKey(slot.id)): SessionSecrets {
    return new SessionSecrets(this.redis, slot, dataKey);
  }

  updates(slot: SessionSlot, dataKey: DataKey = this.dataKey(slot.id)): SessionUpdates {
    return new SessionUpdates(this.redis, slot, dataKey);
  }

  outbox(slot: SessionSlot, dataKey: DataKey = this.dataKey(slot.id)): SessionOutbox {
    return new SessionOutbox(this.redis, slot, this.ring, dataKey);
  }

  /** All peers; bounded by the map's cap. */
  async readAllPeers(id: SessionId): Promise<ReadonlyMap<string, string>> {
    return new Map(Object.entries(await this.redis.hgetall(keys.peers(id))));
  }

  async readPeers(id: SessionId, fields: readonly string[]): Promise<(string | undefined)[]> {
    if (fields.length === 0) return [];
    const values = await this.redis.hmget(keys.peers(id), ...fields);
    return values.map((value) => value ?? undefined);
  }

  async writePeers(slot: SessionSlot, entries: ReadonlyMap<string, string>, cap: number): Promise<void> {
    await this.writeFields(slot, keys.peers(slot.id), cap, [...entries].flat());
  }

  async clearPeers(slot: SessionSlot): Promise<void> {
    await clearMap(this.redis, [keys.owner(slotOf(slot.id)), keys.peers(slot.id)], [slot.token]);
  }

  private async writeFields(slot: SessionSlot, key: string, cap: number, pairs: readonly string[]): Promise<void> {
    // Lua's argument stack and a busy Redis set the batch: a script stays below 1 ms.
    for (let start = 0; start < pairs.length; start += 1_000) {
      await writeFields(this.redis, [keys.owner(slotOf(slot.id)), key], [slot.token, cap, ...pairs.slice(start, start + 1_000)]);
    }
  }
}

/**
 * The keys of a session, its record first: a timer's deletion moves all of them to the trash. `lifetimeMs`: of those that expire some time after their last
 * write, so that one which comes back does not stay for ever. Sent messages are not among them: a device asks for those within seconds.
 */
function ownKeys(id: SessionId): { key: string; lifetimeMs?: number }[] {
  return [
    { key: keys.session(id) },
    { key: keys.secrets(id) },
    { key: keys.peers(id) },
    { key: keys.webhook(id) },
    { key: keys.messageChats(id), lifetimeMs: chatsMs },
    { key: keys.messageOrder(id), lifetimeMs: chatsMs },
    { key: keys.seenEvents(id), lifetimeMs: seenMs },
    { key: keys.outbox(id) },
    { key: keys.deadLetters(id), lifetimeMs: deadLetterMs },
    { key: keys.idempotencyKeys(id), lifetimeMs: idempotencyMs },
  ];
}

/** The QR's text is a login secret: it never enters the record, only its picture stands in a key that lives 60 s. */
function storedForm(state: SessionState): string {
  return JSON.stringify(state.kind === "awaiting-qr" ? { ...state, qr: "" } : state);
}

/** As the former owner told it. A state that is another since, such as one that a new owner begins with, begins now. */
function lifeOf(state: SessionState, stored: string | null | undefined): SessionLife {
  const summary = stored == null ? undefined : parseSummary(stored);
  const since = summary?.state === state.kind ? new Date(summary.since) : new Date();
  return { since: Number.isNaN(since.getTime()) ? new Date() : since, lastError: summary?.lastError ?? "" };
}

const credentialsContext = (id: SessionId): string => `v1|${id}|creds`;
