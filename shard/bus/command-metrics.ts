import type { CommandClass } from "../../shared/contract/command-row.js";

/** What is counted of commands. */
export interface CommandMetrics {
  observe(command: string, commandClass: CommandClass, outcome: string, seconds: number): void;
  age(seconds: number): void;
  repeated(): void;
  /** Of requests with an idempotency key: `replayed`, answered as the first was; `waited` for the first, which was at work; `conflict`, another body; `full`, too many keys. */
  idempotent(outcome: "replayed" | "waited" | "conflict" | "full"): void;
  /** `share`: its session or its tenant has its part of this shard's places; `queue`: its session's lane is full; `left`: its caller had gone before it began. */
  turnedAway(reason: "share" | "queue" | "left"): void;
}
