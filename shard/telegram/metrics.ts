// Imported first: it must run before any module that loads the library.
import "./network/fast-integers.js";
import { Counter, Gauge, Histogram, type MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { durationBuckets } from "../flow/duration-buckets.js";
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
  const chunks = new Histogram({
    name: "gateway_shard_telegram_chunk_seconds",
    help: "Duration of fetches of one media chunk from Telegram",
    labelNames: ["outcome"],
    buckets: durationBuckets,
    registers,
  });
  const chunkBytes = new Counter({
    name: "gateway_shard_telegram_chunk_bytes_total",
    help: "Bytes of media chunks fetched from Telegram and stored in the cache",
    registers,
  });
  const chunksInFlight = new Gauge({
    name: "gateway_shard_telegram_chunks_in_flight_chunks",
    help: "Media chunks being fetched from Telegram",
    registers,
  });
  const chunksWaiting = new Gauge({
    name: "gateway_shard_telegram_chunks_waiting_chunks",
    help: "Media chunks whose fetch is queued",
    registers,
  });
  const decrypted = new Histogram({
    name: "gateway_shard_telegram_decrypt_seconds",
    help: "Time to decrypt a part of a file",
    buckets: durationBuckets,
    registers,
  });
  const chunkTurns = new Histogram({
    name: "gateway_shard_telegram_chunk_wait_seconds",
    help: "Time that queued fetches of media chunks waited for their turn",
    buckets: durationBuckets,
    registers,
  });
  const chunksStored = new Counter({
    name: "gateway_shard_telegram_chunks_stored_already_total",
    help: "Requested media chunks that were in the cache when their turn came",
    registers,
  });
  const floods = new Histogram({
    name: "gateway_shard_telegram_flood_wait_seconds",
    help: "Flood waits that Telegram required, waited out within the command or returned to the caller as a 420",
    labelNames: ["outcome"],
    buckets: [1, 5, 15, 60, 300, 3_600, 86_400],
    registers,
  });
  const updates = new Counter({
    name: "gateway_shard_telegram_updates_total",
    help: "Numbered updates received, by whether they were applied, repeated or held until a gap closes",
    labelNames: ["outcome"],
    registers,
  });
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
  const updateQueue = new Gauge({
    name: "gateway_shard_telegram_update_queue_updates",
    help: "Packets of updates waiting to be processed",
    registers,
  });
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
    onChunk: (outcome, seconds, bytes) => {
      chunks.observe({ outcome }, seconds);
      chunkBytes.inc(bytes);
    },
    onChunkTurn: (seconds) => chunkTurns.observe(seconds),
    onDecrypted: (seconds) => decrypted.observe(seconds),
    onChunkStored: () => chunksStored.inc(),
    onChunkFetches: (running, waiting) => {
      chunksInFlight.inc(running);
      chunksWaiting.inc(waiting);
    },
    onFlood: (outcome, seconds) => floods.observe({ outcome }, seconds),
    onUpdates: (outcome, count) => updates.inc({ outcome }, count),
    onGap: (cause) => updateGaps.inc({ cause }),
    onDifference: (outcome) => differences.inc({ outcome }),
    onEvent: (type) => events.inc({ type }),
    onUpdateQueue: (change) => updateQueue.inc(change),
  };
}
