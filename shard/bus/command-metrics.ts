import type { Platform } from "../../shared/contract/platform.js";
import type { CommandClass } from "../../shared/contract/command-row.js";

/**
 * Stages of a command on this shard. `begin` lasts until the platform call, `record` until the outcome is stored, `reply` until the entry
 * is deleted.
 */
export type CommandStage = "begin" | "platform" | "record" | "reply";

/** Metrics of commands. */
export interface CommandMetrics {
  stage(platform: Platform, stage: CommandStage, ms: number): void;
  observe(command: string, commandClass: CommandClass, outcome: string, seconds: number): void;
  age(seconds: number): void;
  repeated(): void;
  /** Counts an outcome that no router took because its router is gone. */
  unheard(): void;
  /** Counts requests with an idempotency key: `waited` for the first request, `conflict` of bodies, `full` means too many keys. */
  idempotent(outcome: "replayed" | "waited" | "conflict" | "full"): void;
  /**
   * Counts rejected commands. `share`: the session or tenant has used its share. `queue`: the lane is full. `left`: the caller has gone.
   */
  turnedAway(reason: "share" | "queue" | "left"): void;
}
