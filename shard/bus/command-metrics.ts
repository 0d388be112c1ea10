import type { Platform } from "../../shared/contract/platform.js";
import type { CommandClass } from "../../shared/contract/command-row.js";

/**
 * Parts of a command here, one after the other: until its platform's part begins (lane, turn, record), that part, until its outcome is on record, until its reply stands in Redis and
 * its entry is gone.
 */
export type CommandStage = "begin" | "platform" | "record" | "reply";

/** What is counted of commands. */
export interface CommandMetrics {
  stage(platform: Platform, stage: CommandStage, ms: number): void;
  observe(command: string, commandClass: CommandClass, outcome: string, seconds: number): void;
  age(seconds: number): void;
  repeated(): void;
  /** Nobody took the outcome: the router that asked is gone. */
  unheard(): void;
  /** Of requests with an idempotency key: `replayed`, answered as the first was; `waited` for the first, which was at work; `conflict`, another body; `full`, too many keys. */
  idempotent(outcome: "replayed" | "waited" | "conflict" | "full"): void;
  /** `share`: its session or its tenant has its part of this shard's places; `queue`: its session's lane is full; `left`: its caller had gone before it began. */
  turnedAway(reason: "share" | "queue" | "left"): void;
}
