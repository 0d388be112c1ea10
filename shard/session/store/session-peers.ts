import { slotOf } from "../../../shared/contract/slot.js";
import { keys } from "../../../shared/redis/keys.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import type { DataKey } from "./data-key.js";
import type { SessionKey } from "../../../shared/session/session-key.js";
import { TimeSlice } from "../../flow/time-slice.js";
import { clearMap, writeFields } from "./scripts.js";
import type { SessionSlot } from "./session-slot.js";

/** The Lua argument stack and a busy Redis limit the batch: each script stays below 1 ms. */
const entriesAtOnce = 500;
/** A full book of 50,000 contacts is opened in slices, so that other sessions get their turn. */
const sliceMs = 10;

/**
 * Chats and contacts that a session knows: names hashed, values sealed for their own name. Writes name the token and reject with
 * `FencedError`; all reject with `UnreadableRecord` when the data key does not open.
 */
export class SessionPeers {
  constructor(
    private readonly redis: RedisClient,
    private readonly slot: SessionSlot,
    private readonly dataKey: DataKey,
  ) {}

  async getMany(names: readonly string[]): Promise<(string | undefined)[]> {
    if (names.length === 0) return [];
    const key = await this.dataKey.get();
    const hashed = names.map((name) => peerName(key, name));
    const values = await this.redis.hmgetBuffer(keys.peers(this.slot.id), ...hashed);
    return hashed.map((name, index) => opened(key, name, values[index]));
  }

  /** Returns the values of all names; bounded by the map's cap. */
  async values(): Promise<string[]> {
    const key = await this.dataKey.get();
    const slice = new TimeSlice(sliceMs);
    const found: string[] = [];
    for (const [name, sealed] of Object.entries(await this.redis.hgetallBuffer(keys.peers(this.slot.id)))) {
      while (slice.isSpent()) await slice.yield();
      const value = opened(key, name, sealed);
      if (value !== undefined) found.push(value);
    }
    return found;
  }

  /** An empty value removes its name. Past the cap, other entries are evicted. */
  async setMany(entries: ReadonlyMap<string, string>, cap: number): Promise<void> {
    const { id, token } = this.slot;
    const key = await this.dataKey.get();
    const all = [...entries];
    for (let start = 0; start < all.length; start += entriesAtOnce) {
      const pairs = all.slice(start, start + entriesAtOnce).flatMap(([name, value]) => {
        const hashed = peerName(key, name);
        return [hashed, value === "" ? "" : sealPeer(key, hashed, value)];
      });
      await writeFields(this.redis, [keys.owner(slotOf(id)), keys.session(id), keys.peers(id)], [token, cap, ...pairs]);
    }
  }

  async clear(): Promise<void> {
    const { id, token } = this.slot;
    await clearMap(this.redis, [keys.owner(slotOf(id)), keys.peers(id)], [token]);
  }
}

const peerName = (key: SessionKey, name: string): string => key.name("peer", name);

const sealPeer = (key: SessionKey, hashed: string, value: string): Buffer => key.seal(Buffer.from(value), context(hashed));

const context = (hashed: string): string => `p|${hashed}`;

/** An altered value counts as unknown: the platform can supply it again. */
function opened(key: SessionKey, hashed: string, sealed: Buffer | null | undefined): string | undefined {
  if (sealed == null) return undefined;
  try {
    return key.open(sealed, context(hashed)).toString();
  } catch {
    return undefined;
  }
}
