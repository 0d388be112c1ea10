import { timingSafeEqual } from "node:crypto";
import { serverBusy } from "../../shared/contract/errors.js";
import { defaultTenant, type TenantName } from "../../shared/contract/tenant.js";
import { pause } from "../../shared/flow/pause.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { channels } from "../../shared/redis/keys.js";
import { hashOfKey, looksLikeApiKey } from "./api-key.js";
import type { ConfiguredKeys } from "./configured-keys.js";
import type { Directory, DirectoryStore } from "./directory-store.js";
import type { KeyUses } from "./key-uses.js";
import { localPrincipal, type KeyPort, type Principal } from "./principal.js";
import type { KeyRecord, TenantRecord } from "./records.js";

/** A change that no message told of is seen within this, and a question: a revoked key ends within a second in any case. */
const pollMs = 500;
/** Looks for keys that are not known begin so far apart: whoever guesses shares them. */
const learnEveryMs = 250;
/**
 * For so long keys stay known while Redis does not answer. A key that was revoked meanwhile would work on here, but nothing that needs Redis does; what
 * does without it is in this router's memory for seconds. Past it nobody is told "no" either: the answer is 503.
 */
export const knownForMs = 60_000;

export interface KeyDirectoryOptions {
  readonly store: Pick<DirectoryStore, "version" | "read" | "createTenant">;
  /** Nudges by pub/sub; the poll finds the same without it. */
  readonly subscriber: RedisClient;
  /** Always known. */
  readonly configured: ConfiguredKeys;
  readonly uses: Pick<KeyUses, "note">;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface KnownKey {
  readonly hash: Buffer;
  readonly principal: Principal;
  /** Wall clock, as a date is what was given. */
  readonly expiresAt: number;
}

/** All tenants and keys in this process's memory, so that no request waits for Redis to say whom it is from. Bounded by `DirectoryStore`. */
export class KeyDirectory implements KeyPort {
  private keys: ReadonlyMap<string, KnownKey> = new Map();
  /** Of each key that stands for somebody, by its id. */
  private expiries: ReadonlyMap<string, number> = new Map();
  private directory: Directory | undefined;
  private answeredAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private lookAgain = false;
  private learning: Promise<void> | undefined;
  private learnedAt = -Infinity;
  private readonly now: () => number;
  private readonly nudge = (channel: string): void => {
    if (channel === channels.directory) void this.refresh();
  };

  constructor(private readonly options: KeyDirectoryOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  async start(): Promise<void> {
    this.options.subscriber.on("message", this.nudge);
    await this.options.subscriber.subscribe(channels.directory);
    await this.refresh();
    this.timer = setInterval(() => void this.refresh(), pollMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.options.subscriber.off("message", this.nudge);
    await this.looking;
  }

  get isOpen(): boolean {
    return this.options.configured.isOpen;
  }

  /** A key is looked for by its hash, which says nothing of the keys that come close. */
  find(key: string): Principal | undefined {
    const configured = this.options.configured.find(key);
    if (configured !== undefined) return configured;
    if (this.now() - this.answeredAt > knownForMs) throw serverBusy(new Error("the api keys are not known"));
    const hash = hashOfKey(key);
    const known = this.keys.get(hash.toString("hex"));
    if (known === undefined || !timingSafeEqual(known.hash, hash) || known.expiresAt <= Date.now()) return undefined;
    this.options.uses.note(known.principal.keyId);
    return known.principal;
  }

  mayBeNew(key: string): boolean {
    return looksLikeApiKey(key);
  }

  learn(): Promise<void> {
    this.learning ??= pause(Math.max(0, this.learnedAt + learnEveryMs - this.now())).then(() => {
      // Whoever comes from here on needs another look: this one may be answered before the key is made that they bring.
      this.learning = undefined;
      this.learnedAt = this.now();
      return this.refresh();
    });
    return this.learning;
  }

  /** A key that was right is still one: it was not revoked, its tenant was not deleted, and it has not ended. Unchanged while Redis does not answer. */
  stands({ keyId }: Principal): boolean {
    if (keyId === localPrincipal.keyId || this.options.configured.has(keyId)) return true;
    return (this.expiries.get(keyId) ?? 0) > Date.now();
  }

  tenant(name: TenantName): TenantRecord | undefined {
    return this.directory?.tenants.get(name);
  }

  /** How much is known, and how long ago Redis said so. */
  get extent(): { tenants: number; keys: number; ageMs: number } {
    return { tenants: this.directory?.tenants.size ?? 0, keys: this.keys.size, ageMs: this.now() - this.answeredAt };
  }

  /** Resolves once a look that began after this call has ended. Never rejects: without Redis the last view stands. */
  refresh(): Promise<void> {
    // A look that is under way may have been answered before what this call is about.
    this.lookAgain = this.looking !== undefined;
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async look(): Promise<void> {
    do {
      this.lookAgain = false;
      try {
        const askedAt = this.now();
        const version = await this.options.store.version();
        if (this.directory === undefined || version !== this.directory.version) this.take(await this.read());
        this.answeredAt = askedAt;
      } catch (error) {
        this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "tenants and api keys could not be read");
      }
    } while (this.lookAgain);
  }

  private async read(): Promise<Directory> {
    const directory = await this.options.store.read();
    if (directory.tenants.has(defaultTenant)) return directory;
    await this.options.store.createTenant({ name: defaultTenant, created: new Date().toISOString(), quotas: {} });
    return await this.options.store.read();
  }

  private take(directory: Directory): void {
    const { tenants, keys, unreadable } = directory;
    if (unreadable > 0) this.options.log.error({ unreadable }, "stored tenants or api keys cannot be read");
    this.keys = new Map(
      keys.flatMap((record) => {
        const principal = principalOf(record, tenants);
        const expiresAt = record.expires === "" ? Infinity : Date.parse(record.expires);
        return principal === undefined ? [] : [[record.hash, { hash: Buffer.from(record.hash, "hex"), principal, expiresAt }]];
      }),
    );
    this.expiries = new Map([...this.keys.values()].map(({ principal, expiresAt }) => [principal.keyId, expiresAt]));
    this.directory = directory;
  }
}

/** A key of a tenant that is gone stands for nobody. */
function principalOf({ id, role, tenant }: KeyRecord, tenants: Directory["tenants"]): Principal | undefined {
  if (role === "admin") return { keyId: id, role };
  return tenant !== "" && tenants.has(tenant) ? { keyId: id, role, tenant } : undefined;
}
