import { slotOf } from "../../../shared/cluster/slot.js";
import { keys } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { isHashedName, isSealedText, type SessionKey } from "../../../shared/session/session-key.js";
import { markGone } from "../../../shared/erasure/gone-secrets.js";
import { KeyedSemaphore } from "../../flow/keyed-semaphore.js";
import { clearMap, sealFormerChats, writeFields, writeSecrets } from "./scripts.js";
import { peerName, sealPeer } from "./session-peers.js";
import { recordForm, stateMac } from "./session-record.js";
import { secretName } from "./session-secrets.js";
import type { SessionSlot } from "./session-slot.js";
import { cursorField, messageName, sealChat, seenName } from "./session-updates.js";

/** A start after the update finds thousands of them; each may hold tens of thousands of names. */
const recordsAtOnce = 8;
const entriesAtOnce = 500;
const recordTexts = ["state", "account", "summary", "label", "metadata"] as const;

/**
 * Seals what versions up to 0.2 stored in the clear, once for each session, before its owner uses its key for anything else. What is sealed already is passed over, so that an
 * owner that died on the way costs nothing; the record's form is written last.
 */
export class FormerRecords {
  private readonly places = new KeyedSemaphore([recordsAtOnce]);

  constructor(private readonly redis: RedisClient) {}

  /** Rejects with `FencedError` when the slot has another owner. */
  async seal(slot: SessionSlot, key: SessionKey): Promise<void> {
    const leave = await this.places.enter([]);
    try {
      await this.sealPeers(slot, key);
      await this.renameSecrets(slot, key);
      await this.sealUpdates(slot, key);
      await this.sealRecord(slot, key);
      // The file of Redis still has it in the clear.
      await markGone(this.redis);
    } finally {
      leave();
    }
  }

  private async sealPeers({ id, token }: SessionSlot, key: SessionKey): Promise<void> {
    const stored = Object.entries(await this.redis.hgetallBuffer(keys.peers(id)));
    for (const batch of batchesOf(stored.filter(([name]) => !isHashedName(name)))) {
      const pairs = batch.flatMap(([name, value]) => {
        const hashed = peerName(key, name);
        return [hashed, sealPeer(key, hashed, value.toString()), name, ""];
      });
      await writeFields(this.redis, [keys.owner(slotOf(id)), keys.session(id), keys.peers(id)], [token, 0, ...pairs]);
    }
  }

  /** Their values were sealed ever since. */
  private async renameSecrets({ id, token }: SessionSlot, key: SessionKey): Promise<void> {
    const stored = Object.entries(await this.redis.hgetallBuffer(keys.secrets(id)));
    for (const batch of batchesOf(stored.filter(([name]) => !isHashedName(name)))) {
      const pairs = batch.flatMap(([name, sealed]) => [secretName(key, name), sealed, name, ""]);
      await writeSecrets(this.redis, [keys.owner(slotOf(id)), keys.session(id), keys.secrets(id)], [token, ...pairs]);
    }
  }

  private async sealUpdates({ id, token }: SessionSlot, key: SessionKey): Promise<void> {
    const owner = keys.owner(slotOf(id));
    const chats = await this.redis.hgetallBuffer(keys.messageChats(id));
    const order = (await this.redis.lrange(keys.messageOrder(id), 0, -1)).filter((message) => !isHashedName(message));
    for (const batch of batchesOf(order)) {
      const messages = batch.flatMap((message) => {
        const hashed = messageName(key, message);
        const chat = chats[message];
        return [message, hashed, chat === undefined ? "" : sealChat(key, hashed, chat.toString())];
      });
      await sealFormerChats(
        this.redis,
        [owner, keys.messageChats(id), keys.messageOrder(id), keys.seenEvents(id)],
        [token, batch.length, ...messages],
      );
    }
    const seen = await this.redis.zrange(keys.seenEvents(id), "0", "-1", "WITHSCORES");
    const events = seen.flatMap((event, index) =>
      index % 2 === 1 || isHashedName(event) ? [] : [event, seenName(key, event), seen[index + 1] ?? "0"],
    );
    if (events.length > 0)
      await sealFormerChats(this.redis, [owner, keys.messageChats(id), keys.messageOrder(id), keys.seenEvents(id)], [token, 0, ...events]);
    const cursor = await this.redis.hgetBuffer(keys.webhook(id), "cursor");
    if (cursor !== null && !isSealedText(cursor))
      await writeFields(
        this.redis,
        [owner, keys.session(id), keys.webhook(id)],
        [token, 0, cursorField, key.sealText(cursor.toString(), cursorField)],
      );
  }

  private async sealRecord({ id, token }: SessionSlot, key: SessionKey): Promise<void> {
    const owner = keys.owner(slotOf(id));
    const stored = await this.redis.hmgetBuffer(keys.session(id), ...recordTexts);
    const pairs = recordTexts.flatMap((field, index) => {
      const value = stored[index];
      return value == null || value.length === 0 || isSealedText(value) ? [] : [field, key.sealText(value.toString(), field)];
    });
    const [state] = stored;
    const text = state == null ? "" : isSealedText(state) ? key.openText(state, "state") : state.toString();
    // Its picture was readable; the next one is sealed.
    await clearMap(this.redis, [owner, keys.qr(id)], [token]);
    await writeFields(
      this.redis,
      [owner, keys.session(id), keys.session(id)],
      [token, 0, ...pairs, "stateMac", stateMac(key, text), "form", recordForm],
    );
  }
}

function batchesOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / entriesAtOnce) }, (_, index) =>
    all.slice(index * entriesAtOnce, (index + 1) * entriesAtOnce),
  );
}
