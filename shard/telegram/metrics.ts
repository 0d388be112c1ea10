// Imported first: it must run before any module that loads the library.
import "./network/fast-integers.js";
import { Counter, Gauge, Histogram, type MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedCounter, scrapedGauge } from "../../shared/process/metrics/scraped.js";
import { durationBuckets } from "../flow/duration-buckets.js";
import { createChunkMetrics } from "../files/media/chunk-metrics.js";
import { LAYER } from "./network/layer.js";
import type { TelegramMetrics } from "./services.js";

export function createTelegramMetrics(registry: MetricsRegistry): TelegramMetrics {
  const registers = [registry];
  const connectionEnds = new Counter({
    name: "gateway_shard_telegram_connection_ends_total",
    help: "Platform connections that ended, by reason",
    labelNames: ["reason"],
    registers,
  });
  const platformBytes = new Counter({
    name: "gateway_shard_telegram_received_bytes_total",
    help: "Bytes received from the platform",
    registers,
  });
  const chunks = createChunkMetrics(registry, "telegram", "Telegram");
  const decrypted = new Histogram({
    name: "gateway_shard_telegram_decrypt_seconds",
    help: "Time to decrypt a part of a file",
    buckets: durationBuckets,
    registers,
  });
  const floods = new Histogram({
    name: "gateway_shard_telegram_flood_wait_seconds",
    help: "Flood waits that Telegram required, waited out within the command or returned to the caller as a 420",
    labelNames: ["outcome"],
    buckets: [1, 5, 15, 60, 300, 3_600, 86_400],
    registers,
  });
  // Plain numbers, because each message changes them several times.
  const updates = { applied: 0, repeated: 0, held: 0 };
  scrapedCounter(
    registry,
    "gateway_shard_telegram_updates_total",
    "Numbered updates received, by whether they were applied, repeated or held until a gap closes",
    "outcome",
    updates,
  );
  const updateGaps = new Counter({
    name: "gateway_shard_telegram_update_gaps_total",
    help: "Detected gaps in the updates of an account, by cause",
    labelNames: ["cause"],
    registers,
  });
  const differences = new Counter({
    name: "gateway_shard_telegram_differences_total",
    help: "Requests for missed updates by outcome, where too-long means that updates were lost",
    labelNames: ["outcome"],
    registers,
  });
  const events = new Counter({
    name: "gateway_shard_telegram_events_total",
    help: "Events of private chats stored, by type",
    labelNames: ["type"],
    registers,
  });
  let queued = 0;
  scrapedGauge(registry, "gateway_shard_telegram_update_queue_updates", "Packets of updates waiting to be processed", () => queued);
  new Gauge({
    name: "gateway_shard_telegram_schema_layer",
    help: "Layer of Telegram's schema that connections use, as fixed by the library",
    registers,
  }).set(LAYER);
  // An alert measures the increase of this counter, so the series must exist from the start.
  differences.inc({ outcome: "too-long" }, 0);
  return {
    onConnectionEnd: (reason) => connectionEnds.inc({ reason }),
    onBytes: (count) => platformBytes.inc(count),
    chunks,
    onDecrypted: (seconds) => decrypted.observe(seconds),
    onFlood: (outcome, seconds) => floods.observe({ outcome }, seconds),
    onUpdates: (outcome, count) => void (updates[outcome] += count),
    onGap: (cause) => updateGaps.inc({ cause }),
    onDifference: (outcome) => differences.inc({ outcome }),
    onEvent: (type) => events.inc({ type }),
    onUpdateQueue: (change) => void (queued += change),
  };
}
