import { Counter, type MetricsRegistry } from "../../shared/process/metrics/registry.js";
import { stageBuckets } from "../../shared/process/metrics/stage-buckets.js";
import { TalliedHistogram, type Tally } from "../../shared/process/metrics/tallied-histogram.js";
import type { CommandClientMetrics, CommandStage } from "./command-client.js";

/** Metrics of the commands that a router sends. */
export class CommandMetrics implements CommandClientMetrics {
  private readonly seconds: TalliedHistogram<"command" | "outcome">;
  private readonly stages: Readonly<Record<CommandStage, Tally>>;
  private readonly repeats: Counter<"reason">;

  constructor(registry: MetricsRegistry) {
    const registers = [registry];
    this.seconds = new TalliedHistogram({
      name: "gateway_router_command_seconds",
      help: "Time from sending a command to its final reply",
      labelNames: ["command", "outcome"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 240],
      registers,
    });
    const stages = new TalliedHistogram({
      name: "gateway_router_command_stage_seconds",
      help: "Time that a request with a command spends on authentication and validation (check), on the write to Redis (enqueue) and until its reply arrives (wait)",
      labelNames: ["stage"],
      buckets: stageBuckets,
      registers,
    });
    this.stages = {
      check: stages.tally({ stage: "check" }),
      enqueue: stages.tally({ stage: "enqueue" }),
      wait: stages.tally({ stage: "wait" }),
    };
    this.repeats = new Counter({
      name: "gateway_router_command_repeats_total",
      help: "Commands resent because their slot was about to move (moved), had a new owner (owner-changed), or Redis lost an entry (lost)",
      labelNames: ["reason"],
      registers,
    });
  }

  observe(command: string, outcome: string, seconds: number): void {
    this.seconds.observeAs([command, outcome], seconds);
  }

  stage(stage: CommandStage, ms: number): void {
    this.stages[stage].observe(ms / 1_000);
  }

  repeated(reason: "moved" | "owner-changed" | "lost"): void {
    this.repeats.inc({ reason });
  }
}
