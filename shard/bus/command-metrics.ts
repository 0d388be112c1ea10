import type { Platform } from "../../shared/contract/platform.js";
import type { CommandClass } from "../../shared/contract/command-row.js";

/**
 * Stages of a command on this shard. `begin` lasts until the platform call starts, `platform` until it ends, `record` until the outcome is
 * recorded (if the reply waits for that), `reply` until the reply is in Redis.
 */
export type CommandStage = "begin" | "platform" | "record" | "reply";

/** Metrics of commands. */
export interface CommandMetrics {
  stage(platform: Platform, stage: CommandStage, ms: number): void;
  observe(command: string, commandClass: CommandClass, outcome: string, seconds: number): void;
  age(seconds: number): void;
  repeated(): void;
  /** Counts an outcome that no router took because its router is gone. */
  undelivered(): void;
  /**
   * Counts requests with an idempotency key. `replayed`: got the outcome of the first request. `waited`: the first one was still running.
   * `conflict`: the key stands for another body. `full`: the session has too many keys.
   */
  idempotent(outcome: "replayed" | "waited" | "conflict" | "full"): void;
  /**
   * Counts rejected commands. `share`: the session or tenant has used its share of places. `queue`: the lane is full. `left`: the caller
   * left before the command began.
   */
  rejected(reason: "share" | "queue" | "left"): void;
}
