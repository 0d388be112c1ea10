import type { SessionCosts, Work, WorkCosts } from "../../deploy/cli/capacity/unit-costs.js";
import type { Platform } from "../../shared/contract/platform.js";
import type { Figure } from "../figure.js";

/** Names and units of the costs of one unit of work. The scenario writes figures under these names, and `costsOf` reads them. */
const workFigures: Readonly<Record<keyof WorkCosts, { readonly what: string; readonly unit: string }>> = {
  shardCpuMs: { what: "shard CPU", unit: "CPU ms" },
  routerCpuMs: { what: "router CPU", unit: "CPU ms" },
  redisCpuMs: { what: "CPU of the sessions' Redis", unit: "CPU ms" },
  cacheCpuMs: { what: "CPU of the chunks' Redis", unit: "CPU ms" },
  fileBytes: { what: "bytes of the append-only file", unit: "B" },
  briefBytes: { what: "bytes of Redis for 15 minutes", unit: "B" },
  dayBytes: { what: "bytes of Redis for a day", unit: "B" },
};

const workNames: Readonly<Record<Work, string>> = {
  telegramText: "a Telegram text",
  whatsappText: "a WhatsApp text",
  telegramIncoming: "an incoming Telegram message with its webhook",
  whatsappIncoming: "an incoming WhatsApp message",
  read: "GET /session",
  warmMib: "a MiB out of the router's memory",
  coldMib: "a MiB from the platform",
};

export const costKinds = Object.keys(workFigures) as (keyof WorkCosts)[]; // The keys are those of the table above.

export function workFigure(work: Work, kind: keyof WorkCosts): { readonly what: string; readonly unit: string } {
  const { what, unit } = workFigures[kind];
  return { what: `${workNames[work]}: ${what}`, unit };
}

export function figuresOf(work: Work, costs: WorkCosts, how: string): Figure[] {
  return costKinds.map((kind) => ({ ...workFigure(work, kind), value: costs[kind], how }));
}

export function loginFigure(platform: Platform): string {
  return `Redis memory of a ${platform} login`;
}

export const emptyShardFigure = "RSS of a shard without sessions";

/** Names of the figures of `whatsapp-idle` and `telegram-idle`. */
export const idleFigures: Readonly<Record<Exclude<keyof SessionCosts, "redisBytes">, { readonly what: string; readonly by: number }>> = {
  shardBytes: { what: "RSS per session", by: 1_024 },
  idleCpuMsPerHour: { what: "CPU per session and hour", by: 1_000 },
  connectCpuMs: { what: "CPU per login at the restart", by: 1 },
};
