import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import typia from "typia";
import { readOwners } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/contract/slot.js";
import { newSessionId, newSessionSecret, type SessionId } from "../../shared/contract/ids.js";
import type { Platform } from "../../shared/contract/platform.js";
import { defaultTenant, type TenantName } from "../../shared/contract/tenant.js";
import { KeyRing } from "../../shared/config/key-ring.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { SessionWriter } from "../../shard/session/store/session-writer.js";
import { packJson } from "../../shard/whatsapp/keys/packed-json.js";
import { Caller } from "../../test/harness/api.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { gatewayRedis } from "../gateway-redis.js";
import { control } from "../sandbox-control.js";
import { newSession } from "../../test/harness/new-session.js";

/** A session whose login the sandbox created. It is linked, although no phone scanned a QR code. */
export interface StoredLogin {
  readonly id: SessionId;
  readonly account: string;
  readonly phone: string;
  /** True if its record shows a picture some time after the login. Otherwise it never does. */
  readonly pictured: boolean;
  readonly groups: readonly string[];
  readonly caller: Caller;
}

/**
 * `contacts` is the size of each account's address book on the platform. WhatsApp accounts may also be in groups with a number of members.
 */
export interface WantedLogins {
  readonly prefix: string;
  readonly from: number;
  readonly count: number;
  readonly contacts?: number;
  readonly groups?: number;
  readonly members?: number;
}

export interface MadeLogin {
  readonly account: string;
  readonly phone: string;
  readonly generatedId: string;
  readonly pictured: boolean;
  /** WhatsApp: ids of the account's groups. */
  readonly groups?: readonly string[];
  /** WhatsApp: the library's credentials as text. */
  readonly credentials?: string;
  /** Telegram: the account's data centre, and the key that it knows, in base64. */
  readonly dcId?: number;
  readonly authKey?: string;
}

/** Returns the credentials in the form that the adapters' auth stores write. */
function credentialsOf({ credentials, dcId = 1, authKey }: MadeLogin): Buffer {
  if (credentials !== undefined) return packJson(Buffer.from(credentials));
  return Buffer.from(JSON.stringify({ v: 1, stage: "authorized", home: { dcId, address: `127.0.0.${dcId}` }, keys: { [dcId]: authKey } }));
}

/**
 * Writes thousands of logins to the gateway's Redis under the fencing tokens of the slots' owners. A shard only finds them when it
 * acquires a slot, so restart it. The sandbox must be in load mode. Must be closed.
 */
export class StoredLogins {
  private constructor(
    private readonly gateway: Gateway,
    private readonly redis: RedisClient,
    private readonly writer: SessionWriter,
  ) {}

  static async open(gateway: Gateway): Promise<StoredLogins> {
    const { credKeys } = isSecrets(JSON.parse(await readFile(join(gateway.dataDir, "secrets.json"), "utf8")));
    const redis = await gatewayRedis(gateway);
    return new StoredLogins(gateway, redis, new SessionWriter(redis, KeyRing.parse(credKeys)));
  }

  /** `from` is the number of existing logins. `tenantOf` returns the tenant of a session by its number. */
  async add(
    platform: Platform,
    count: number,
    { from = 0, contacts = 0, tenantOf = toDefault }: { from?: number; contacts?: number; tenantOf?: (number: number) => TenantName } = {},
  ): Promise<StoredLogin[]> {
    const logins: StoredLogin[] = [];
    const end = from + count;
    for (let next = from; next < end; next += atOnce) {
      const wanted = { prefix: "load", from: next, count: Math.min(atOnce, end - next), contacts };
      logins.push(...(await this.addMade(platform, wanted, tenantOf)));
    }
    return logins;
  }

  /** Creates a few logins with one call of the sandbox. `madeAt` is the recorded creation time of each session. */
  async addMade(
    platform: Platform,
    wanted: WantedLogins,
    tenantOf: (number: number) => TenantName = toDefault,
    madeAt = (_number: number): number => Date.now(),
  ): Promise<StoredLogin[]> {
    const made = await this.make(platform, wanted);
    const numbered = made.map((login, index) => [login, wanted.from + index] as const);
    return await Promise.all(numbered.map(([login, number]) => this.store(platform, login, tenantOf(number), madeAt(number))));
  }

  /**
   * Waits until the records of all sessions say that they are connected. Resolves with the times at which this was first seen, in
   * monotonic milliseconds, ascending.
   */
  async connected(logins: readonly StoredLogin[], deadlineMs: number, signal: AbortSignal): Promise<number[]> {
    const endsAt = performance.now() + deadlineMs;
    const seen: number[] = [];
    for (let open = [...logins]; open.length > 0; ) {
      signal.throwIfAborted();
      const states = await Promise.all(open.map(({ id }) => this.writer.readState(id)));
      const now = performance.now();
      const still = open.filter((_, index) => states[index]?.kind !== "connected");
      seen.push(...Array.from({ length: open.length - still.length }, () => now));
      open = still;
      if (open.length > 0 && now > endsAt)
        throw new Error(`${open.length} of ${logins.length} sessions are not connected after ${deadlineMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    return seen;
  }

  close(): void {
    this.redis.disconnect();
  }

  /** Creates logins in the sandbox only, unknown to the gateway. */
  async make(platform: Platform, wanted: WantedLogins): Promise<MadeLogin[]> {
    return isMade(await control(this.gateway, platform, "/load/logins", wanted)).docs;
  }

  private async store(platform: Platform, made: MadeLogin, tenant: TenantName, madeAt: number): Promise<StoredLogin> {
    const { account, phone, generatedId, pictured, groups = [] } = made;
    const id = newSessionId(madeAt);
    const sessionId = newSessionSecret();
    const [owner] = await readOwners(this.redis, [slotOf(id)]);
    if (owner === undefined) throw new Error("no shard owns the slot");
    const slot = { id, token: owner.token };
    await this.writer.create(slot, platform, newSession(createHash("sha256").update(sessionId).digest("hex"), tenant), new Date());
    await this.writer.writeCredentials(slot, credentialsOf(made));
    await this.writer.writeState(
      slot,
      { kind: "disconnected", account: { generatedId, name: account, username: "", phone, picture: "" }, elapsedMs: 0 },
      { since: new Date(), lastError: "" },
      undefined,
    );
    return { id, account, phone, pictured, groups, caller: new Caller(this.gateway, { id, sessionId }, 0, platform) };
  }
}

/** Logins that one call of the sandbox creates. */
const atOnce = 250;
const toDefault = (): TenantName => defaultTenant;
const pollMs = 200;
const isSecrets = typia.createAssert<{ credKeys: string }>();
const isMade = typia.createAssert<{ docs: MadeLogin[] }>();
