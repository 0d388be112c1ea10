import { Counter, Gauge, type MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { TalliedHistogram, type Tally } from "../../shared/process/metrics/tallied-histogram.js";
import { durationBuckets } from "../flow/duration-buckets.js";
import { createChunkMetrics } from "../files/media/chunk-metrics.js";
import { passkeyFailures, passkeyPhases } from "./passkey/passkey-failure.js";
import type { SendOutcome, WhatsAppMetrics } from "./services.js";

export function createWhatsAppMetrics(registry: MetricsRegistry): WhatsAppMetrics {
  const registers = [registry];
  const connectionEnds = new Counter({
    name: "gateway_shard_whatsapp_connection_ends_total",
    help: "Platform connections that ended, by reason",
    labelNames: ["reason"],
    registers,
  });
  const platformBytes = new Counter({
    name: "gateway_shard_whatsapp_received_bytes_total",
    help: "Bytes received from the platform",
    registers,
  });
  const leftOut = new Counter({
    name: "gateway_shard_whatsapp_devices_left_out_total",
    help: "Devices left out of a group message because they have no usable keys",
    registers,
  });
  const sends = new TalliedHistogram({
    name: "gateway_shard_whatsapp_send_seconds",
    help: "Time from a command that sends a message or status to WhatsApp's response",
    labelNames: ["outcome"],
    buckets: durationBuckets,
    registers,
  });
  const passkeys = new Counter({
    name: "gateway_shard_whatsapp_passkey_linkings_total",
    help: "Ended attempts to link by passkey, by last step and outcome",
    labelNames: ["step", "outcome"],
    registers,
  });
  // Alerts measure increases, so each counter must exist before its first event.
  for (const outcome of passkeyFailures) for (const step of passkeyPhases) passkeys.inc({ step, outcome }, 0);
  const revision = new Gauge({
    name: "gateway_shard_whatsapp_version_revision",
    help: "Last part of the WhatsApp client version in use (used) and of the newest one found (found)",
    labelNames: ["kind"],
    registers,
  });
  const versionFoundAt = new Gauge({
    name: "gateway_shard_whatsapp_version_found_timestamp_seconds",
    help: "Unix time of the last successful check for a new WhatsApp client version or of this process's start, or 0 where checks are off",
    registers,
  });
  const versionsRefused = new Counter({
    name: "gateway_shard_whatsapp_version_refusals_total",
    help: "Connections that WhatsApp rejected because of their client version (405)",
    registers,
  });
  const lookups = new Counter({
    name: "gateway_shard_whatsapp_version_look_ups_total",
    help: "Checks for a new WhatsApp client version, by outcome (found, failed, or older than a known version that still works)",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["found", "older", "failed"]) lookups.inc({ outcome }, 0);
  const outcomes: Readonly<Record<SendOutcome, Tally>> = {
    accepted: sends.tally({ outcome: "accepted" }),
    refused: sends.tally({ outcome: "refused" }),
    lost: sends.tally({ outcome: "lost" }),
    failed: sends.tally({ outcome: "failed" }),
  };
  return {
    chunks: createChunkMetrics(registry, "whatsapp", "WhatsApp"),
    onConnectionEnd: (reason) => connectionEnds.inc({ reason }),
    onBytes: (count) => platformBytes.inc(count),
    onLeftOut: (devices) => leftOut.inc(devices),
    onVersion: ({ spoken, found, foundAtSeconds }) => {
      revision.set({ kind: "used" }, spoken);
      if (found !== undefined) revision.set({ kind: "found" }, found);
      if (foundAtSeconds !== undefined) versionFoundAt.set(foundAtSeconds);
    },
    onPasskeyEnded: (step, outcome) => passkeys.inc({ step, outcome }),
    onVersionLookup: (outcome) => lookups.inc({ outcome }),
    onVersionRefused: () => versionsRefused.inc(),
    onSend: (outcome, seconds) => outcomes[outcome].observe(seconds),
  };
}
