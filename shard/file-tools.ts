import { join } from "node:path";
import type { TenantName } from "../shared/contract/tenant.js";
import type { Log } from "../shared/log/logger.js";
import type { ShardSettings } from "./config.js";
import { Downloader } from "./download/download.js";
import { VideoFrames } from "./download/video-frame.js";
import { ImagePool } from "./image/image-pool.js";
import type { ShardMetrics } from "./metrics.js";
import type { QuotaPort } from "./tenant/session-quota.js";

/** What the files of messages are fetched and made with; each of them takes a place of the tenant's quota of downloads. */
export interface FileTools {
  readonly images: ImagePool;
  readonly videos: VideoFrames;
  readonly downloads: Downloader;
}

export interface FileToolsOptions {
  readonly settings: Pick<ShardSettings, "dataDir" | "ffmpegPath" | "downloadAllow" | "downloadPorts">;
  readonly quota: QuotaPort;
  readonly tenantOf: (session: string) => TenantName;
  readonly metrics: ShardMetrics;
  readonly log: Log;
}

export function openFileTools({ settings, quota, tenantOf, metrics, log }: FileToolsOptions): FileTools {
  return {
    images: new ImagePool({
      log,
      quota,
      tenantOf,
      cacheFolder: join(settings.dataDir, "fonts"),
      onTask: metrics.renderTask,
      onRestart: metrics.renderRestart,
    }),
    videos: new VideoFrames({
      quota,
      tenantOf,
      ffmpeg: settings.ffmpegPath,
      onRead: (outcome, seconds) => metrics.renderTask("video-frame", outcome, seconds),
    }),
    downloads: new Downloader({
      quota,
      tenantOf,
      folder: join(settings.dataDir, "downloads"),
      allow: settings.downloadAllow,
      furtherPorts: settings.downloadPorts,
      onBlocked: metrics.downloadBlocked,
      onFinished: metrics.downloadFinished,
    }),
  };
}
