import type { UnitCosts } from "./unit-costs.js";

/** Written by `npm run capacity`. */
export const measuredCosts: UnitCosts = {
  measured: { date: "2026-11-22T20:21:32.493Z", cpu: "Intel(R) Xeon(R) Processor", node: "v20.20.2" },
  emptyShardBytes: 123000000,
  session: {
    whatsapp: { shardBytes: 154000, idleCpuMsPerHour: 92.4, connectCpuMs: 41.3, redisBytes: 254000 },
    telegram: { shardBytes: 143000, idleCpuMsPerHour: 116, connectCpuMs: 11.7, redisBytes: 3080 },
  },
  work: {
    telegramText: {
      shardCpuMs: 2.98,
      routerCpuMs: 1.44,
      redisCpuMs: 0.404,
      cacheCpuMs: 0.0175,
      fileBytes: 2470,
      briefBytes: 812,
      dayBytes: 224,
    },
    whatsappText: {
      shardCpuMs: 6.41,
      routerCpuMs: 1.82,
      redisCpuMs: 0.669,
      cacheCpuMs: 0.0281,
      fileBytes: 5270,
      briefBytes: 832,
      dayBytes: 354,
    },
    telegramIncoming: {
      shardCpuMs: 2.06,
      routerCpuMs: 0.184,
      redisCpuMs: 0.287,
      cacheCpuMs: 0.031,
      fileBytes: 1860,
      briefBytes: 0,
      dayBytes: 141,
    },
    whatsappIncoming: {
      shardCpuMs: 1.43,
      routerCpuMs: 0.176,
      redisCpuMs: 0.163,
      cacheCpuMs: 0.0232,
      fileBytes: 1070,
      briefBytes: 0,
      dayBytes: 0,
    },
    read: {
      shardCpuMs: 0.0616,
      routerCpuMs: 0.294,
      redisCpuMs: 0.0399,
      cacheCpuMs: 0.00404,
      fileBytes: 1.4,
      briefBytes: 0,
      dayBytes: 0.008,
    },
    warmMib: { shardCpuMs: 0.223, routerCpuMs: 1.11, redisCpuMs: 0.0478, cacheCpuMs: 0.0278, fileBytes: 9, briefBytes: 0, dayBytes: 0 },
    coldMib: { shardCpuMs: 20.5, routerCpuMs: 6.77, redisCpuMs: 1.74, cacheCpuMs: 1.86, fileBytes: 2810, briefBytes: 379, dayBytes: 242 },
  },
};
