import type { LocalBus } from "../shared/bus/local-bus.js";
import { ChunkCache } from "../shared/media/chunk-cache.js";
import { DescriptionCache } from "../shared/media/description-cache.js";
import { SealedLinks } from "../shared/media/sealed-links.js";
import type { ShardContext } from "./context.js";
import { Egress } from "./egress/egress.js";
import { ProxyGuard } from "./egress/proxy-guard.js";
import type { IncomingPort } from "./tenant/incoming-turns.js";
import { fetchTurns } from "./files/media/chunk-source.js";
import { DeletedMedia } from "./files/media/deleted-media.js";
import { offeredChunks } from "./files/media/offered-chunks.js";
import type { Files } from "./open-files.js";
import { MessageRefs } from "./session/message-refs.js";
import type { PlatformRegistry } from "./session/platform-adapter.js";
import { readPlatformFiles as telegramFiles } from "./telegram/platform-files.js";
import type { QuotaPort } from "./tenant/session-quota.js";
import { createTelegramAdapter } from "./telegram/telegram-adapter.js";
import { FileLinks } from "./whatsapp/media/file-links.js";
import { readPlatformFiles as whatsappFiles } from "./whatsapp/platform-files.js";
import type { WhatsAppTiming } from "./whatsapp/timing.js";
import { ClientVersions } from "./whatsapp/version/client-versions.js";
import { createWhatsAppAdapter, libraryVersion } from "./whatsapp/whatsapp-adapter.js";

/** The parts that a shard lends to its platforms. */
export interface PlatformParts {
  readonly files: Files;
  /** Limits each tenant's concurrent downloads. */
  readonly quota: QuotaPort;
  readonly incoming: IncomingPort;
  readonly whatsappTiming: Partial<WhatsAppTiming>;
  /** Set if a router runs in the same process. */
  readonly local: LocalBus | undefined;
}

/** Opens every platform of this process, by its name. No other place of the shard knows all of them. */
export function openPlatforms(context: ShardContext, { files, quota, incoming, whatsappTiming, local }: PlatformParts): PlatformRegistry {
  const { settings, secrets, redis, metrics, tracing, hosted, log } = context;
  const { writer, cache } = redis;
  const { images, videos, downloads } = files;
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
  const chunks = offeredChunks(new ChunkCache(cache), local?.chunks);
  const chunkTurns = fetchTurns();
  const sealedLinks = new SealedLinks(secrets.linkKeys);
  const common = { egress, incoming, images, videos, downloads, log };
  return {
    whatsapp: {
      ...createWhatsAppAdapter({
        ...common,
        ...whatsappFiles(settings.whatsapp),
        versions,
        device: settings.whatsapp.device,
        links: new FileLinks(sealedLinks, settings.baseUrls.whatsapp),
        refs: new MessageRefs(secrets.linkKeys, "whatsapp", hosted.tenantOf),
        media: { chunks, turns: chunkTurns, links: sealedLinks, quota, tenantOf: hosted.tenantOf, tracing },
        metrics: metrics.whatsapp,
        timing: whatsappTiming,
      }),
      background: versions,
    },
    telegram: createTelegramAdapter({
      ...common,
      ...settings.telegram,
      ...telegramFiles(settings.telegram),
      quota,
      tenantOf: hosted.tenantOf,
      links: { mediaUrl: (session, address, ext) => settings.baseUrls.telegram + secrets.linkKeys.sign(session, address, ext) },
      refs: new MessageRefs(secrets.linkKeys, "telegram", hosted.tenantOf),
      chunks,
      chunkTurns,
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
