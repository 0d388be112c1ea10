import { timingSafeEqual } from "node:crypto";
import { storageUnavailable } from "../../shared/contract/errors.js";
import { defaultTenant, type TenantName } from "../../shared/contract/tenant.js";
import { pause } from "../../shared/flow/pause.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { SchemaFollower } from "../../shared/cluster/schema/schema-follower.js";
import { DirectoryWatch } from "../../shared/tenant/directory-watch.js";
import { hashOfKey, looksLikeApiKey } from "./api-key.js";
import type { ConfiguredKeys } from "./configured-keys.js";
import type { Directory, DirectoryStore } from "./directory-store.js";
import type { KeyUses } from "./key-uses.js";
import { localPrincipal, type KeyPort, type Principal } from "./principal.js";
import { incarnationOf, type KeyRecord, type TenantRecord } from "./records.js";

/** Shortest time between refreshes for unknown keys. Concurrent guesses share one refresh. */
const learnEveryMs = 250;
/**
 * How long keys stay valid while Redis fails. A key revoked meanwhile works only for what needs no Redis. After this time every key gets
 * 503, valid or not.
 */
export const keysValidMs = 60_000;

export interface KeyDirectoryOptions {
  readonly store: Pick<DirectoryStore, "version" | "read" | "createTenant">;
  /** Detects a Redis that has lost data. Its missing records are not trusted, and nothing is written there. */
  readonly schema: Pick<SchemaFollower, "isWhole">;
  /** Speeds up updates by pub/sub. The poll finds the same changes without it. */
  readonly subscriber: RedisClient;
  /** Always known. */
  readonly configured: ConfiguredKeys;
  readonly uses: Pick<KeyUses, "note">;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface CachedKey {
  readonly hash: Buffer;
  readonly principal: Principal;
  /** Wall clock, because the expiry was given as a date. */
  readonly expiresAt: number;
}

/** All tenants and keys in this process's memory, so that no request waits for Redis to authenticate. Bounded by `DirectoryStore`. */
export class KeyDirectory implements KeyPort {
  private keys: ReadonlyMap<string, CachedKey> = new Map();
  /** Expiry of each valid key, by its id. */
  private expiries: ReadonlyMap<string, number> = new Map();
  private directory: Directory | undefined;
  private readonly watch: DirectoryWatch<Directory>;
  private learning: Promise<void> | undefined;
  private learnedAt = -Infinity;

  constructor(private readonly options: KeyDirectoryOptions) {
    const { store, subscriber, log, now } = options;
    this.watch = new DirectoryWatch({
      version: () => store.version(),
      read: () => this.read(),
      take: (directory) => this.take(directory),
      subscriber,
      log,
      ...(now === undefined ? {} : { now }),
    });
  }

  async start(): Promise<void> {
    await this.watch.start();
  }

  async stop(): Promise<void> {
    await this.watch.stop();
  }

  get isOpen(): boolean {
    return this.options.configured.isOpen;
  }

  get isShared(): boolean {
    return (this.directory?.tenants.size ?? 0) > 1;
  }

  /** Finds a key by its hash, whose lookup time reveals nothing about similar keys. */
  find(key: string): Principal | undefined {
    const configured = this.options.configured.find(key);
    if (configured !== undefined) return configured;
    if (this.watch.ageMs > keysValidMs) throw storageUnavailable(new Error("the api keys are not known"));
    const hash = hashOfKey(key);
    const entry = this.keys.get(hash.toString("hex"));
    if (entry === undefined || !timingSafeEqual(entry.hash, hash) || entry.expiresAt <= Date.now()) return undefined;
    this.options.uses.note(entry.principal.keyId);
    return entry.principal;
  }

  mayBeNew(key: string): boolean {
    return looksLikeApiKey(key);
  }

  learn(): Promise<void> {
    this.learning ??= pause(Math.max(0, this.learnedAt + learnEveryMs - performance.now())).then(() => {
      // Later callers need a new refresh: this one may read the directory before their key was created.
      this.learning = undefined;
      this.learnedAt = performance.now();
      return this.refresh();
    });
    return this.learning;
  }

  /** Returns whether a key is still valid: not revoked, not expired, and its tenant not deleted. Unchanged while Redis fails. */
  stands({ keyId }: Principal): boolean {
    if (keyId === localPrincipal.keyId || this.options.configured.has(keyId)) return true;
    return (this.expiries.get(keyId) ?? 0) > Date.now();
  }

  tenant(name: TenantName): TenantRecord | undefined {
    return this.directory?.tenants.get(name);
  }

  /** Returns the number of known tenants and keys, and the age of that view. */
  get extent(): { tenants: number; keys: number; ageMs: number } {
    return { tenants: this.directory?.tenants.size ?? 0, keys: this.keys.size, ageMs: this.watch.ageMs };
  }

  /** Resolves after a refresh that began after this call. Never rejects: without Redis the last view stays. */
  async refresh(): Promise<void> {
    await this.watch.refresh();
  }

  private async read(): Promise<Directory> {
    if (!(await this.options.schema.isWhole())) throw new Error("redis does not hold what it held");
    const directory = await this.options.store.read();
    if (directory.tenants.has(defaultTenant)) return directory;
    await this.options.store.createTenant({ name: defaultTenant, created: new Date().toISOString(), quotas: {} });
    return await this.options.store.read();
  }

  private take(directory: Directory): void {
    const { tenants, keys, keyProxies, unreadable } = directory;
    if (unreadable > 0) this.options.log.error({ unreadable }, "stored tenants or api keys unreadable");
    this.keys = new Map(
      keys.flatMap((record) => {
        const principal = principalOf(record, tenants, keyProxies.get(record.id));
        const expiresAt = record.expires === "" ? Infinity : Date.parse(record.expires);
        return principal === undefined ? [] : [[record.hash, { hash: Buffer.from(record.hash, "hex"), principal, expiresAt }]];
      }),
    );
    this.expiries = new Map([...this.keys.values()].map(({ principal, expiresAt }) => [principal.keyId, expiresAt]));
    this.directory = directory;
  }
}

/** A key of a deleted tenant has no principal. */
function principalOf({ id, role, tenant }: KeyRecord, tenants: Directory["tenants"], sealedProxy?: string): Principal | undefined {
  const traits = { keyId: id, ...(sealedProxy === undefined ? {} : { sealedProxy }) };
  if (role === "admin") return { ...traits, role };
  const record = tenant === "" ? undefined : tenants.get(tenant);
  return tenant === "" || record === undefined ? undefined : { ...traits, role, tenant, incarnation: incarnationOf(record) };
}
