import type { Platform } from "../../../shared/contract/platform.js";

/** What there is to do, by its rate: texts that are sent, messages that come in (Telegram's with a webhook), `GET /session`, MiB of media out of a router's memory, MiB from the platform. */
export const works = ["telegramText", "whatsappText", "telegramIncoming", "whatsappIncoming", "read", "warmMib", "coldMib"] as const;
export type Work = (typeof works)[number];

/** What one of it takes. CPU is that of the processes, in milliseconds of one core. */
export interface WorkCosts {
  readonly shardCpuMs: number;
  readonly routerCpuMs: number;
  readonly redisCpuMs: number;
  readonly cacheCpuMs: number;
  /** Written to the append-only file, which a rewrite makes short again. */
  readonly fileBytes: number;
  /** Of Redis' memory, for a quarter of an hour: the record by which a repeat is known. */
  readonly briefBytes: number;
  /** Likewise, for a day: content that a recipient's device may ask for again. */
  readonly dayBytes: number;
}

/** What a session takes that nobody uses. */
export interface SessionCosts {
  readonly shardBytes: number;
  readonly idleCpuMsPerHour: number;
  /** From a start of its shard until it is connected. */
  readonly connectCpuMs: number;
  readonly redisBytes: number;
}

/** As `npm run capacity` measures it. */
export interface UnitCosts {
  readonly measured: { readonly date: string; readonly cpu: string; readonly node: string };
  /** Of a shard without sessions. */
  readonly emptyShardBytes: number;
  readonly session: Readonly<Record<Platform, SessionCosts>>;
  readonly work: Readonly<Record<Work, WorkCosts>>;
}
