import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../../shared/contract/platform.js";
import { startBareTexts } from "../baseline/start-bare-texts.js";
import { platformNames } from "../commands/operations.js";
import { StoredLogins, type MadeLogin } from "../logins/stored-logins.js";
import { gatewayProcess } from "../profile/gateway-process.js";
import type { Scenario } from "../scenario.js";
import { restartShard } from "../shard/restart-shard.js";
import { gatewayTree, mebibytes, treeUsage } from "./process-tree.js";

/** Compares the memory of many idle accounts in the whole gateway with that of the bare library on the same sandbox. */
export function linkedMemoryOf(platform: Platform): Scenario {
  return {
    name: `linked-${platform}`,
    about: `memory of ${platformNames[platform]} accounts that are linked, beside the bare library behind an HTTP server`,
    bars: [{ name: memoryBar, unit: "", limit: { atMost: memoryMost } }],
    quick: `${accountsOf.quick} accounts instead of ${accountsOf.full}`,
    gateway: { allInOne: true, env: { SANDBOX_LOAD: "1" } },
    async run(gateway, _load, signal, size) {
      const accounts = accountsOf[size];
      const store = await StoredLogins.open(gateway);
      try {
        const logins = await store.add(platform, accounts);
        await restartShard(gateway, "shard-1");
        await store.connected(logins, connectedMs, signal);
        const made: MadeLogin[] = [];
        for (let from = 0; from < accounts; from += madeAtOnce)
          made.push(...(await store.make(platform, { prefix: "bare", from, count: Math.min(madeAtOnce, accounts - from) })));
        const bare = await startBareTexts(gateway, platform, made, [], signal);
        try {
          await sleep(settleMs, undefined, { signal });
          const ours = mebibytes(await gatewayTree(await gatewayProcess(gateway, "supervisor/main.js")));
          const theirs = mebibytes(await treeUsage(bare.pid));
          const how = `proportional set sizes of all processes and Redis, ${accounts} accounts`;
          return {
            figures: [
              { what: "Trunkline: memory when all are linked", unit: "MiB", value: ours, how },
              { what: "bare library: memory when all are linked", unit: "MiB", value: theirs, how },
            ],
            values: { [memoryBar]: ours / theirs },
            notes: ["each side as it stands 10 s after the last login, without a forced garbage collection"],
          };
        } finally {
          await bare.stop();
        }
      } finally {
        store.close();
      }
    },
  };
}

const memoryBar = "memory of linked accounts by the bare library";
const memoryMost = 0.7;
const accountsOf = { full: 1_000, quick: 200 } as const;
const madeAtOnce = 250;
const connectedMs = 600_000;
const settleMs = 10_000;
