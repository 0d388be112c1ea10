import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";

export interface WatchedCommands {
  readonly commands: { readonly running: number; readonly waiting: number };
  readonly streamLength: { readonly entries: number };
  readonly local: { readonly entries: number } | undefined;
  readonly paceLine: { readonly waiting: number };
}

export function watchCommands(registry: MetricsRegistry, { commands, streamLength, local, paceLine }: WatchedCommands): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge("gateway_shard_commands_in_flight_commands", "Commands read but not yet replied to", () => commands.running);
  gauge(
    "gateway_shard_start_queue_commands",
    "Commands queued because the shard is at its limit, with a 503 for the tenant with the most above 800",
    () => commands.waiting,
  );
  gauge(
    "gateway_shard_command_stream_entries",
    "Entries in this shard's command stream, counted every 2 seconds, and commands of a router in its process, with a 503 at 2,000 of either",
    () => streamLength.entries + (local?.entries ?? 0),
  );
  gauge(
    "gateway_shard_pace_queue_messages",
    "Messages that wait for the pace of their session, at most 400 and shared out among sessions above that",
    () => paceLine.waiting,
  );
}
