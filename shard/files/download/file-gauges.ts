import type { MetricsRegistry } from "../../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../../shared/process/metrics/scraped.js";

type Pending = Readonly<Record<"images" | "videos" | "downloads", { readonly pending: number }>>;

export function watchFiles(registry: MetricsRegistry, { images, videos, downloads }: Pending): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge(
    "gateway_shard_render_queue_tasks",
    "Render tasks and extractions of video frames, queued or in progress",
    () => images.pending + videos.pending,
  );
  gauge("gateway_shard_downloads_in_flight_downloads", "Downloads queued or in progress", () => downloads.pending);
}
