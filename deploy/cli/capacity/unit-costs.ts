import type { Platform } from "../../../shared/contract/platform.js";

/**
 * Kinds of load: texts sent, messages received (on Telegram with a webhook), `GET /session` requests, MiB of media from a router's memory,
 * and MiB of media from the platform.
 */
export const works = ["telegramText", "whatsappText", "telegramIncoming", "whatsappIncoming", "read", "warmMib", "coldMib"] as const;
export type Work = (typeof works)[number];

/** Costs of one unit of load. CPU is the processes' time in milliseconds of one core. */
export interface WorkCosts {
  readonly shardCpuMs: number;
  readonly routerCpuMs: number;
  readonly redisCpuMs: number;
  readonly cacheCpuMs: number;
  /** Bytes in the append-only file, which a rewrite shortens again. */
  readonly fileBytes: number;
  /** Redis memory held for 15 minutes: the record that detects a repeated request. */
  readonly briefBytes: number;
  /** Redis memory held for a day: content that a recipient's device may request again. */
  readonly dayBytes: number;
}

/** Costs of one idle session. */
export interface SessionCosts {
  readonly shardBytes: number;
  readonly idleCpuMsPerHour: number;
  /** CPU from the start of its shard until the session is connected. */
  readonly connectCpuMs: number;
  readonly redisBytes: number;
}

/** Costs as `npm run capacity` measures them. */
export interface UnitCosts {
  readonly measured: { readonly date: string; readonly cpu: string; readonly node: string };
  /** Memory of a shard without sessions. */
  readonly emptyShardBytes: number;
  readonly session: Readonly<Record<Platform, SessionCosts>>;
  readonly work: Readonly<Record<Work, WorkCosts>>;
}
