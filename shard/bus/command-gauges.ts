import type { MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { scrapedGauge } from "../../shared/process/metrics/scraped.js";

export interface WatchedCommands {
  readonly commands: { readonly running: number; readonly waiting: number };
  readonly streamLength: { readonly entries: number };
  readonly paceLine: { readonly waiting: number };
}

export function watchCommands(registry: MetricsRegistry, { commands, streamLength, paceLine }: WatchedCommands): void {
  const gauge = (name: string, help: string, read: () => number): void => scrapedGauge(registry, name, help, read);
  gauge("gateway_shard_commands_in_flight_commands", "Commands taken and not yet answered", () => commands.running);
  gauge(
    "gateway_shard_start_queue_commands",
    "Commands that wait to begin, as more came than this shard can do; past 800 the tenant with most of them reads 503",
    () => commands.waiting,
  );
  gauge(
    "gateway_shard_command_stream_entries",
    "Commands in this shard's stream, taken or not, as counted every 2 s; at 2,000 routers answer 503",
    () => streamLength.entries,
  );
  gauge(
    "gateway_shard_pace_queue_messages",
    "Messages that wait until their session may send them; no more than 400, past which a session's share of that decides who reads 429",
    () => paceLine.waiting,
  );
}
