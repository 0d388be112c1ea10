import { randomBytes } from "node:crypto";
import { ConfiguredKeys } from "../../../../router/tenant/configured-keys.js";
import type { ChunkStore } from "../../../../router/media/chunk-loader.js";
import type { BytesPort, PacedBytes } from "../../../../router/media/media-bytes.js";
import type { DeletionFeed } from "../../../../router/media/deletion-feed.js";
import type { InFlightLimits } from "../../../../router/endpoint/in-flight-limit.js";
import type { DescriptionPort } from "../../../../router/telegram/described-link.js";
import type { MediaSessionPort } from "../../../../router/media/media-login.js";
import { openMedia } from "../../../../router/media/open-media.js";
import { createTelegramApi } from "../../../../router/telegram/telegram-api.js";
import { WebhookSettingsReader } from "../../../../router/api/webhook/webhook-settings.js";
import type { MediaDescription } from "../../../../shared/contract/media.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { LinkKeys } from "../../../../shared/media/link.js";
import { knownKeys } from "../support.js";
import { RouterUnderTest } from "../router-under-test.js";

/** The bytes of a tenant without a quota. */
export const unpaced: PacedBytes = {
  isFree: true,
  async *pace(body) {
    yield* body;
  },
};

/** Replaces the router's other side for variant B, with links, chunks and descriptions. */
export class ApiUnderTest extends RouterUnderTest<"telegram"> {
  readonly links = LinkKeys.parse(`a:${randomBytes(32).toString("base64")}`);
  readonly chunks = new Map<string, Uint8Array>();
  readonly descriptions = new Map<string, MediaDescription>();
  cacheFails = false;
  /** If false, every request reads its session from Redis. */
  sessionsAtHand = true;
  /** Chunks whose expiry was renewed, in the order of the calls. */
  readonly renewed: string[] = [];
  /** Reports messages that the platform says are deleted. */
  tellDeleted: Parameters<DeletionFeed["onDeleted"]>[0] = () => undefined;
  tellEdited: Parameters<DeletionFeed["onEdited"]>[0] = () => undefined;
  /** The tenant's quota of bytes. */
  bytes: BytesPort = { tryPay: () => "free", refund: () => undefined, begin: () => Promise.resolve(unpaced) };
  private ageMs = 0;
  private passedMs = 0;
  /** The router's clock. */
  readonly now = (): number => performance.now() + this.passedMs;

  constructor() {
    super("telegram");
  }

  get descriptionAgeMs(): number {
    return this.ageMs;
  }

  /** Age of the cached description by the shard's clock. The router's clock advances by the same time. */
  set descriptionAgeMs(ms: number) {
    this.ageMs = ms;
    this.pass(ms);
  }

  pass(ms: number): void {
    this.passedMs += ms;
  }

  async start(
    options: { apiKeys?: string; memoryBytes?: number; streamLimits?: InFlightLimits; commandLimits?: InFlightLimits } = {},
  ): Promise<void> {
    const { apiKeys = "", memoryBytes = 64 * 1024 * 1024, streamLimits, commandLimits } = options;
    const keys = knownKeys(ConfiguredKeys.parse(apiKeys));
    createTelegramApi({
      app: this.app,
      prefix: "/telegram",
      sessions: this,
      mediaSessions: this.mediaSessions,
      commands: this,
      media: openMedia({
        chunks: this.chunkStore,
        bytes: this.bytes,
        memoryBytes,
        isShared: () => keys.isShared,
        metrics: this.metrics,
        log: silentLog,
        now: this.now,
        ...(streamLimits === undefined ? {} : { streamLimits }),
      }),
      describe: this.descriptionStore,
      deletions: { onDeleted: (tell) => (this.tellDeleted = tell), onEdited: (tell) => (this.tellEdited = tell) },
      links: this.links,
      webhooks: new WebhookSettingsReader(this.ring),
      creations: this.creations,
      ring: this.ring,
      guard: this.guard,
      keys,
      places: { reserve: () => Promise.resolve(true), release: () => Promise.resolve() },
      admission: { admit: (_, work) => work(), admitAtHand: () => ({}) },
      messages: { counted: (_, message) => message.send() },
      checked: () => undefined,
      log: silentLog,
      ...(commandLimits === undefined ? {} : { commandLimits }),
    });
    await this.app.listen();
  }

  /** The cached sessions are always up to date here. Their own tests cover delays. */
  private readonly mediaSessions: MediaSessionPort = {
    atHand: (id) =>
      this.sessionsAtHand && this.session?.id === id
        ? { active: this.session.active, kind: this.session.state.kind, lastAccount: this.session.lastAccount, tenant: this.session.tenant }
        : undefined,
    read: async (id) => {
      const session = await this.read("telegram", id);
      return session && { active: session.active, kind: session.state.kind, lastAccount: session.lastAccount, tenant: session.tenant };
    },
  };

  /** Replaces the cache Redis. */
  chunkStore: ChunkStore = {
    get: (fileKey, chunk, expectedLength) => {
      if (this.cacheFails) return Promise.reject(new Error("cache is away"));
      const bytes = this.chunks.get(`${fileKey}:${chunk}`);
      return Promise.resolve(bytes?.length === expectedLength ? bytes : undefined);
    },
    renew: (used) => {
      this.renewed.push(...used.map(({ fileKey, chunk }) => `${fileKey}:${chunk}`));
      return Promise.resolve();
    },
    length: (fileKey, chunk) => Promise.resolve(this.chunks.get(`${fileKey}:${chunk}`)?.length ?? 0),
    has: (fileKey, chunks) => Promise.resolve(chunks.every((chunk) => this.chunks.has(`${fileKey}:${chunk}`))),
  };

  private readonly descriptionStore: DescriptionPort = {
    get: ({ session }, { messageId }) => {
      if (this.cacheFails) return Promise.reject(new Error("cache is away"));
      const description = this.descriptions.get(`${session}:${messageId}`);
      return Promise.resolve(description && { description, ageMs: this.descriptionAgeMs });
    },
    put: ({ session }, { messageId }, description) => {
      if (this.cacheFails) return Promise.reject(new Error("cache is away"));
      this.descriptions.set(`${session}:${messageId}`, description);
      return Promise.resolve();
    },
    forget: ({ session }, { messageId }) => {
      this.descriptions.delete(`${session}:${messageId}`);
      return Promise.resolve();
    },
  };
}
