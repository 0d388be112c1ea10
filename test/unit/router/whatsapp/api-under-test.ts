import { randomBytes } from "node:crypto";
import type { ChunkStore } from "../../../../router/media/chunk-loader.js";
import type { MediaSessionPort } from "../../../../router/media/media-login.js";
import { openMedia } from "../../../../router/media/open-media.js";
import { ConfiguredKeys } from "../../../../router/tenant/configured-keys.js";
import { WebhookSettingsReader } from "../../../../router/api/webhook/webhook-settings.js";
import { createWhatsAppApi } from "../../../../router/whatsapp/whatsapp-api.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { LinkKeys } from "../../../../shared/media/link.js";
import { SealedLinks } from "../../../../shared/media/sealed-links.js";
import { knownKeys } from "../support.js";
import { RouterUnderTest } from "../router-under-test.js";
import { unpaced } from "../telegram/api-under-test.js";

/** Replaces the router's other side for variant A, with links and chunks. */
export class ApiUnderTest extends RouterUnderTest<"whatsapp"> {
  readonly links = new SealedLinks(LinkKeys.parse(`a:${randomBytes(32).toString("base64")}`));
  /** Replaces the cache Redis. */
  readonly chunks = new Map<string, Uint8Array>();

  constructor() {
    super("whatsapp");
  }

  async start(apiKeys = ""): Promise<void> {
    const keys = knownKeys(ConfiguredKeys.parse(apiKeys));
    createWhatsAppApi({
      app: this.app,
      prefix: "/whatsapp",
      sessions: this,
      commands: this,
      creations: this.creations,
      ring: this.ring,
      guard: this.guard,
      webhooks: new WebhookSettingsReader(this.ring),
      keys,
      places: { reserve: () => Promise.resolve(true), release: () => Promise.resolve() },
      admission: { admit: (_, work) => work(), admitAtHand: () => ({}) },
      messages: { counted: (_, message) => message.send() },
      checked: () => undefined,
      media: {
        shared: openMedia({
          chunks: this.chunkStore,
          bytes: { tryPay: () => "free", refund: () => undefined, begin: () => Promise.resolve(unpaced) },
          memoryBytes: 64 * 1024 * 1024,
          isShared: () => keys.isShared,
          metrics: this.metrics,
          log: silentLog,
        }),
        sessions: this.mediaSessions,
        links: this.links,
      },
      log: silentLog,
    });
    await this.app.listen();
  }

  private readonly mediaSessions: MediaSessionPort = {
    atHand: () => undefined,
    read: async (id) => {
      const session = await this.read("whatsapp", id);
      return session && { active: session.active, kind: session.state.kind, lastAccount: session.lastAccount, tenant: session.tenant };
    },
  };

  private readonly chunkStore: ChunkStore = {
    get: (fileKey, chunk, expectedLength) => {
      const bytes = this.chunks.get(`${fileKey}:${chunk}`);
      return Promise.resolve(bytes?.length === expectedLength ? bytes : undefined);
    },
    length: (fileKey, chunk) => Promise.resolve(this.chunks.get(`${fileKey}:${chunk}`)?.length ?? 0),
    renew: () => Promise.resolve(),
    has: (fileKey, chunks) => Promise.resolve(chunks.every((chunk) => this.chunks.has(`${fileKey}:${chunk}`))),
  };
}
