import { join } from "node:path";
import type { Opened } from "../shared/process/lifecycle.js";
import type { ShardContext } from "./context.js";
import { Downloader } from "./files/download/download.js";
import { watchFiles } from "./files/download/file-gauges.js";
import { VideoFrames } from "./files/download/video-frame.js";
import { ImagePool } from "./files/image/image-pool.js";
import type { QuotaPort } from "./tenant/session-quota.js";

/** Fetches and makes the files of messages. Each of them takes a place of the tenant's download quota. */
export interface Files extends Opened {
  readonly images: ImagePool;
  readonly videos: VideoFrames;
  readonly downloads: Downloader;
}

export function openFiles({ settings, registry, metrics, hosted, log }: ShardContext, quota: QuotaPort): Files {
  const { tenantOf } = hosted;
  const images = new ImagePool({
    log,
    quota,
    tenantOf,
    cacheFolder: join(settings.dataDir, "fonts"),
    onTask: metrics.renderTask,
    onRestart: metrics.renderRestart,
  });
  const videos = new VideoFrames({
    quota,
    tenantOf,
    ffmpeg: settings.ffmpegPath,
    onRead: (outcome, seconds) => metrics.renderTask("video-frame", outcome, seconds),
  });
  const downloads = new Downloader({
    quota,
    tenantOf,
    folder: join(settings.dataDir, "downloads"),
    allow: settings.downloadAllow,
    furtherPorts: settings.downloadPorts,
    onBlocked: metrics.downloadBlocked,
    onFinished: metrics.downloadFinished,
  });
  watchFiles(registry, { images, videos, downloads });
  return {
    images,
    videos,
    downloads,
    lifecycle: [
      ["render pool", images, { stopMs: 10_000 }],
      ["video frames", videos],
      ["downloads", downloads],
    ],
  };
}
