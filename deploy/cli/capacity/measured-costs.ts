import type { UnitCosts } from "./unit-costs.js";

/** Written by `npm run capacity`. */
export const measuredCosts: UnitCosts = {
  measured: { date: "2026-11-23T15:22:17.217Z", cpu: "AMD EPYC", node: "v20.20.2" },
  emptyShardBytes: 194000000,
  session: {
    whatsapp: { shardBytes: 161000, idleCpuMsPerHour: 65.9, connectCpuMs: 19.1, redisBytes: 24500 },
    telegram: { shardBytes: 158000, idleCpuMsPerHour: 195, connectCpuMs: 18.6, redisBytes: 3020 },
  },
  work: {
    telegramText: { shardCpuMs: 1.78, routerCpuMs: 0.824, redisCpuMs: 0.27, cacheCpuMs: 0, fileBytes: 984, briefBytes: 154, dayBytes: 184 },
    whatsappText: {
      shardCpuMs: 5.21,
      routerCpuMs: 1.63,
      redisCpuMs: 0.581,
      cacheCpuMs: 0,
      fileBytes: 2350,
      briefBytes: 170,
      dayBytes: 372,
    },
    telegramIncoming: { shardCpuMs: 1.8, routerCpuMs: 0, redisCpuMs: 0.149, cacheCpuMs: 0, fileBytes: 1520, briefBytes: 0, dayBytes: 96.8 },
    whatsappIncoming: { shardCpuMs: 1.37, routerCpuMs: 0, redisCpuMs: 0.0571, cacheCpuMs: 0, fileBytes: 518, briefBytes: 0, dayBytes: 0 },
    read: { shardCpuMs: 0.0105, routerCpuMs: 0.149, redisCpuMs: 0.00651, cacheCpuMs: 0, fileBytes: 0.401, briefBytes: 0, dayBytes: 0 },
    warmMib: { shardCpuMs: 0.0486, routerCpuMs: 0.735, redisCpuMs: 0, cacheCpuMs: 0, fileBytes: 0, briefBytes: 0, dayBytes: 0 },
    coldMib: { shardCpuMs: 23.5, routerCpuMs: 5.97, redisCpuMs: 0.875, cacheCpuMs: 1.99, fileBytes: 1490, briefBytes: 207, dayBytes: 435 },
  },
};
