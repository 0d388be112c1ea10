import { sentContentMs } from "../../../shared/limits.js";
import { slotOf } from "../../../shared/cluster/slot.js";
import { openWith, sealWith } from "../../../shared/crypto/key-ring.js";
import { keys } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { loadScript, runScript } from "../../../shared/redis/script.js";
import type { DataKey } from "../../../shared/session/data-key.js";
import type { SessionSlot } from "./session-slot.js";
import { openRecord } from "../../../shared/session/unreadable-record.js";

const writeSecretsScript = loadScript("write-secrets");
const keepSentScript = loadScript("keep-sent");
const clearMapScript = loadScript("clear-map");

/** A busy account sends this many in a few minutes; a device that asks again does so within seconds, or when it comes online. */
const sentMax = 2_000;
/** Reads of one command to Redis. */
const fieldsAtOnce = 1_000;

/**
 * What one session keeps sealed beside its credentials: named secrets that change together, and the content of sent messages for a day.
 * Writes name the token and reject with `FencedError`;
 * they are durable (acknowledged by Redis) before they resolve, and write nothing for a session that is gone.
 */
export class SessionSecrets {
  constructor(
    private readonly redis: RedisClient,
    private readonly slot: SessionSlot,
    private readonly dataKey: DataKey,
  ) {}

  async getMany(fields: readonly string[]): Promise<(Buffer | undefined)[]> {
    const { id } = this.slot;
    const found: (Buffer | undefined)[] = [];
    for (let start = 0; start < fields.length; start += fieldsAtOnce) {
      const batch = fields.slice(start, start + fieldsAtOnce);
      const [key, values] = await Promise.all([this.dataKey.get(), this.redis.hmgetBuffer(keys.secrets(id), ...batch)]);
      for (const [index, field] of batch.entries()) {
        const sealed = values[index];
        found.push(sealed == null ? undefined : openRecord("secret", () => openWith(key, sealed, secretContext(id, field))));
      }
    }
    return found;
  }

  /** One atomic write of all changes; `undefined` deletes. */
  async apply(changes: ReadonlyMap<string, Buffer | undefined>): Promise<void> {
    if (changes.size === 0) return;
    const { id, token } = this.slot;
    const key = await this.dataKey.get();
    const pairs = [...changes].flatMap(([field, value]) => [
      field,
      value === undefined ? "" : sealWith(key, value, secretContext(id, field)),
    ]);
    await runScript(this.redis, writeSecretsScript, [keys.owner(slotOf(id)), keys.session(id), keys.secrets(id)], [token, ...pairs]);
  }

  async clear(): Promise<void> {
    const { id, token } = this.slot;
    await runScript(this.redis, clearMapScript, [keys.owner(slotOf(id)), keys.secrets(id)], [token]);
  }

  async keepSent(messageId: string, content: Buffer): Promise<void> {
    const { id, token } = this.slot;
    const sealed = sealWith(await this.dataKey.get(), content, sentContext(id, messageId));
    await runScript(
      this.redis,
      keepSentScript,
      [keys.owner(slotOf(id)), keys.session(id), keys.sent(id, messageId), keys.sentIndex(id)],
      [token, messageId, sealed, sentContentMs, sentMax, keys.sentPrefix(id)],
    );
  }

  async readSent(messageId: string): Promise<Buffer | undefined> {
    const { id } = this.slot;
    const [key, sealed] = await Promise.all([this.dataKey.get(), this.redis.getBuffer(keys.sent(id, messageId))]);
    return sealed === null ? undefined : openRecord("sent message", () => openWith(key, sealed, sentContext(id, messageId)));
  }
}

const secretContext = (id: string, field: string): string => `v1|${id}|k|${field}`;
const sentContext = (id: string, messageId: string): string => `v1|${id}|m|${messageId}`;
