import type { UnitCosts } from "./unit-costs.js";

/** Written by `npm run capacity`. */
export const measuredCosts: UnitCosts = {
  measured: { date: "2026-11-22T20:54:10.515Z", cpu: "Intel(R) Xeon(R) Processor", node: "v20.20.2" },
  emptyShardBytes: 181000000,
  session: {
    whatsapp: { shardBytes: 154000, idleCpuMsPerHour: 92.4, connectCpuMs: 41.3, redisBytes: 24700 },
    telegram: { shardBytes: 143000, idleCpuMsPerHour: 116, connectCpuMs: 11.7, redisBytes: 3360 },
  },
  work: {
    telegramText: {
      shardCpuMs: 1.45,
      routerCpuMs: 0.581,
      redisCpuMs: 0.216,
      cacheCpuMs: 0.00371,
      fileBytes: 1630,
      briefBytes: 360,
      dayBytes: 196,
    },
    whatsappText: {
      shardCpuMs: 5.09,
      routerCpuMs: 1.37,
      redisCpuMs: 0.487,
      cacheCpuMs: 0,
      fileBytes: 3170,
      briefBytes: 407,
      dayBytes: 341,
    },
    telegramIncoming: {
      shardCpuMs: 1.04,
      routerCpuMs: 0,
      redisCpuMs: 0.0784,
      cacheCpuMs: 0,
      fileBytes: 1710,
      briefBytes: 0,
      dayBytes: 128,
    },
    whatsappIncoming: { shardCpuMs: 0.856, routerCpuMs: 0, redisCpuMs: 0.0276, cacheCpuMs: 0, fileBytes: 617, briefBytes: 0, dayBytes: 0 },
    read: {
      shardCpuMs: 0.000817,
      routerCpuMs: 0.148,
      redisCpuMs: 0.0158,
      cacheCpuMs: 0.000119,
      fileBytes: 0.21,
      briefBytes: 0,
      dayBytes: 0.008,
    },
    warmMib: { shardCpuMs: 0.126, routerCpuMs: 0.811, redisCpuMs: 0.031, cacheCpuMs: 0.0022, fileBytes: 0, briefBytes: 0, dayBytes: 0 },
    coldMib: { shardCpuMs: 16.9, routerCpuMs: 5.1, redisCpuMs: 0.795, cacheCpuMs: 1.69, fileBytes: 1850, briefBytes: 311, dayBytes: 403 },
  },
};
