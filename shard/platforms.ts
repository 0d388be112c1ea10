import { ChunkCache } from "../shared/media/chunk-cache.js";
import { DescriptionCache } from "../shared/media/description-cache.js";
import type { Log } from "../shared/log/logger.js";
import type { Tracing } from "../shared/trace/tracing.js";
import type { RedisClient } from "../shared/redis/connect.js";
import type { ShardSecrets, ShardSettings } from "./config.js";
import type { Downloader } from "./download/download.js";
import type { VideoFrames } from "./download/video-frame.js";
import { Egress } from "./egress/egress.js";
import { ProxyGuard } from "./egress/proxy-guard.js";
import type { IncomingPort } from "./incoming/incoming-turns.js";
import type { ImagePool } from "./image/image-pool.js";
import { DeletedMedia } from "./media/deleted-media.js";
import type { ShardMetrics } from "./metrics.js";
import type { PlatformRegistry } from "./session/platform-adapter.js";
import { readPlatformFiles as telegramFiles } from "./telegram/platform-files.js";
import type { QuotaPort } from "./tenant/session-quota.js";
import { createTelegramAdapter } from "./telegram/telegram-adapter.js";
import { readPlatformFiles as whatsappFiles } from "./whatsapp/platform-files.js";
import type { WhatsAppTiming } from "./whatsapp/timing.js";
import { ClientVersions } from "./whatsapp/version/client-versions.js";
import { createWhatsAppAdapter, libraryVersion } from "./whatsapp/whatsapp-adapter.js";

/** What a shard lends to its platforms. */
export interface PlatformParts {
  readonly settings: ShardSettings;
  readonly secrets: ShardSecrets;
  readonly images: ImagePool;
  readonly videos: VideoFrames;
  readonly downloads: Downloader;
  /** Of downloads at once. */
  readonly quota: QuotaPort;
  /** To whom a session belongs. */
  readonly tenantOf: (session: string) => string;
  readonly incoming: IncomingPort;
  readonly writer: RedisClient;
  readonly cache: RedisClient;
  readonly metrics: ShardMetrics;
  readonly tracing: Tracing | undefined;
  readonly whatsappTiming: Partial<WhatsAppTiming>;
  readonly log: Log;
}

/** Every platform of this process, by its name. The only place of the shard that knows them all. */
export function openPlatforms({ settings, secrets, writer, cache, metrics, ...parts }: PlatformParts): PlatformRegistry {
  const { images, videos, downloads, incoming, tracing, log } = parts;
  const egress = new Egress({
    localAddress: settings.egressAddress,
    guard: new ProxyGuard({ allow: settings.proxyAllow }),
    onProxyFault: metrics.proxyFailed,
  });
  const versions = new ClientVersions({
    redis: writer,
    egress,
    library: libraryVersion,
    pinned: settings.whatsapp.version,
    url: settings.whatsapp.versionUrl,
    metrics: metrics.whatsapp,
    log,
  });
  const lent = { egress, incoming, images, videos, downloads, log };
  return {
    whatsapp: {
      ...createWhatsAppAdapter({
        ...lent,
        ...whatsappFiles(settings.whatsapp),
        versions,
        device: settings.whatsapp.device,
        metrics: metrics.whatsapp,
        timing: parts.whatsappTiming,
      }),
      background: versions,
    },
    telegram: createTelegramAdapter({
      ...lent,
      ...settings.telegram,
      ...telegramFiles(settings.telegram),
      quota: parts.quota,
      tenantOf: parts.tenantOf,
      links: { mediaUrl: (session, address, ext) => settings.baseUrls.telegram + secrets.linkKeys.sign(session, address, ext) },
      chunks: new ChunkCache(cache),
      deletedMedia: new DeletedMedia({
        descriptions: new DescriptionCache(cache, secrets.credentialRing),
        redis: writer,
        onLeft: metrics.deletedMediaLeft,
        log,
      }),
      metrics: metrics.telegram,
      tracing,
    }),
  };
}
