import { Counter, Gauge, Histogram, type MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { durationBuckets } from "../flow/duration-buckets.js";
import { passkeyFailures, passkeyPhases } from "./passkey/passkey-failure.js";
import type { WhatsAppMetrics } from "./services.js";

export function createWhatsAppMetrics(registry: MetricsRegistry): WhatsAppMetrics {
  const registers = [registry];
  const connectionEnds = new Counter({
    name: "gateway_shard_whatsapp_connection_ends_total",
    help: "Platform connections that ended",
    labelNames: ["reason"],
    registers,
  });
  const platformBytes = new Counter({
    name: "gateway_shard_whatsapp_received_bytes_total",
    help: "Bytes that came from the platform",
    registers,
  });
  const leftOut = new Counter({
    name: "gateway_shard_whatsapp_devices_left_out_total",
    help: "Devices that a group's message went out without, as they have no usable keys, and no other lacked the account's key",
    registers,
  });
  const sends = new Histogram({
    name: "gateway_shard_whatsapp_send_seconds",
    help: "Messages and statuses, from the command to the platform's answer",
    labelNames: ["outcome"],
    buckets: durationBuckets,
    registers,
  });
  const passkeys = new Counter({
    name: "gateway_shard_whatsapp_passkey_linkings_total",
    help: "Linkings by passkey that ended: in which step (challenge, sent, revealed: the phone's key is there, confirmed), and how (linked, unreadable, refused, changed: another key of the phone's, forgotten by the platform, late, interrupted)",
    labelNames: ["step", "outcome"],
    registers,
  });
  // Alerts measure increases, so each counter must exist before its first event.
  for (const outcome of passkeyFailures) for (const step of passkeyPhases) passkeys.inc({ step, outcome }, 0);
  const revision = new Gauge({
    name: "gateway_shard_whatsapp_version_revision",
    help: "Last number of versions of the WhatsApp client: spoken (what connections say), found (the newest that was looked up)",
    labelNames: ["kind"],
    registers,
  });
  const versionFoundAt = new Gauge({
    name: "gateway_shard_whatsapp_version_found_timestamp_seconds",
    help: "When the newest version of the WhatsApp client was looked up last, or this process' start before the first time; 0 where nothing is looked up",
    registers,
  });
  const versionsRefused = new Counter({
    name: "gateway_shard_whatsapp_version_refusals_total",
    help: "Connections whose version of the client WhatsApp refused (405)",
    registers,
  });
  const lookUps = new Counter({
    name: "gateway_shard_whatsapp_version_look_ups_total",
    help: "Look-ups of the newest version of the WhatsApp client: found, older (than one that is known and was not refused), failed",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["found", "older", "failed"]) lookUps.inc({ outcome }, 0);
  sends.zero({ outcome: "lost" });
  return {
    onConnectionEnd: (reason) => connectionEnds.inc({ reason }),
    onBytes: (count) => platformBytes.inc(count),
    onLeftOut: (devices) => leftOut.inc(devices),
    onVersion: ({ spoken, found, foundAtSeconds }) => {
      revision.set({ kind: "spoken" }, spoken);
      if (found !== undefined) revision.set({ kind: "found" }, found);
      if (foundAtSeconds !== undefined) versionFoundAt.set(foundAtSeconds);
    },
    onPasskeyEnded: (step, outcome) => passkeys.inc({ step, outcome }),
    onVersionLookUp: (outcome) => lookUps.inc({ outcome }),
    onVersionRefused: () => versionsRefused.inc(),
    onSend: (outcome, seconds) => sends.observe({ outcome }, seconds),
  };
}
