import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../../shared/contract/platform.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { startBareTexts } from "../baseline/start-bare-texts.js";
import { platformNames } from "../commands/operations.js";
import type { PlannedRequest } from "../load/plan.js";
import { meetAll } from "../load/send-round.js";
import { StoredLogins, type MadeLogin, type StoredLogin } from "../logins/stored-logins.js";
import { gatewayProcess } from "../profile/gateway-process.js";
import { profileProcess } from "../profile/profile-process.js";
import { routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import { restartShard } from "../shard/restart-shard.js";
import { inspectable } from "../shard/shard-probe.js";
import {
  conversationFigures,
  conversationSizes,
  fixedRates,
  inFlight,
  measureConversation,
  planOf,
  ratios,
  wholeCpuMs,
} from "./conversation.js";
import { gatewayTree, treeUsage } from "./process-tree.js";
import type { Side } from "./side.js";
import type { TextServer } from "./text-server.js";

/**
 * Accounts of one gateway text each other, in turns with the bare library behind a plain HTTP server on the same sandbox. Everything but
 * sandbox and load counts: both ends of each text, all processes and Redis.
 */
export function conversationOf(platform: Platform, cpuMost: number): Scenario {
  const { rounds, seconds, waitRounds, waitSeconds } = conversationSizes.quick;
  return {
    name: `conversation-${platform}`,
    about: `${accounts} ${platformNames[platform]} accounts of one gateway text each other, beside the bare library behind an HTTP server`,
    bars: [
      { name: cpuBar, unit: "", limit: { atMost: cpuMost } },
      ...fixedRates.map((rate) => ({ name: waitBar(rate), unit: "", limit: { atMost: waitMost } })),
      { name: memoryBar, unit: "", limit: { atMost: memoryMost } },
    ],
    quick: `${rounds} rounds of ${seconds} s, and ${waitRounds} of ${waitSeconds} s at each rate`,
    gateway: { allInOne: true, env: { SANDBOX_LOAD: "1", ...inspectable } },
    async run(gateway, load, signal, sizeName) {
      const size = conversationSizes[sizeName];
      const store = await StoredLogins.open(gateway);
      try {
        const logins = await store.add(platform, accounts);
        await restartShard(gateway, "shard-1");
        await store.connected(logins, connectedMs, signal);
        const made = await store.make(platform, { prefix: "bare", from: 0, count: accounts });
        const bare = await startBareTexts(gateway, platform, made, peersOf(made), signal);
        try {
          await sleep(settleMs, undefined, { signal });
          const met = peersOf(logins);
          await meetAll(logins, met);
          const ours = await ownSide(gateway, platform, logins, met);
          const other = bareSide(bare, peersOf(made));
          const before = (await bare.usage()).received;
          const [mine, theirs] = await measureConversation({ load, sides: [ours, other], size, signal });
          const received = (await bare.usage()).received - before;
          if (received === 0) throw new Error("the bare library received nothing");
          const work = (): Promise<unknown> => load.run({ ...planOf(ours), connections: inFlight, seconds: profileSeconds });
          const profiles = [await profileProcess("router and shard", await gateway.shardPid("shard-1"), work)];
          return {
            profiles,
            figures: [...conversationFigures("Trunkline", mine, size), ...conversationFigures("bare library", theirs, size)],
            values: {
              [cpuBar]: ratios(wholeCpuMs(mine), wholeCpuMs(theirs)),
              ...Object.fromEntries(
                fixedRates.map((rate) => [waitBar(rate), ratios(mine.atRate.get(rate)?.p99Ms ?? [], theirs.atRate.get(rate)?.p99Ms ?? [])]),
              ),
              [memoryBar]: mine.loadedMiB / theirs.loadedMiB,
            },
            notes: [
              `${accounts} accounts on each side, each writes to ${peersOfEach} others`,
              "the bare library has its keys in memory, and keeps no record of a request",
              "Trunkline runs as `npm start` starts it: a supervisor, router and shard in one process, and two Redis servers",
            ],
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

const cpuBar = "CPU of a text, sent and received, all processes and Redis, by the bare library";
const waitBar = (rate: number): string => `p99 at ${rate} a second by the bare library`;
const waitMost = 1.5;
const memoryBar = "memory after the load by the bare library";
const memoryMost = 1.2;
const accounts = 20;
const peersOfEach = 2;
const connectedMs = 120_000;
const settleMs = 3_000;
const profileSeconds = 4;

/** For each account the numbers of the next ones. */
function peersOf(logins: readonly Pick<MadeLogin, "phone">[]): string[][] {
  return logins.map((_, index) => Array.from({ length: peersOfEach }, (__, n) => logins[(index + n + 1) % logins.length]?.phone ?? ""));
}

async function ownSide(
  gateway: Gateway,
  platform: Platform,
  logins: readonly StoredLogin[],
  met: readonly (readonly string[])[],
): Promise<Side> {
  const { name, origin } = routerTarget(gateway);
  const path = `${new URL(gateway[platform][0] ?? "").pathname}/message`;
  const supervisor = await gatewayProcess(gateway, "supervisor/main.js");
  return {
    name,
    origin,
    lanes: logins.map(({ caller: { credentials } }, index) =>
      textsTo(met[index] ?? [], (phone, text) => ({
        path,
        headers: { id: credentials.id, "session-id": credentials.sessionId, "content-type": "application/json" },
        body: JSON.stringify({ phone, type: "text", text }),
      })),
    ),
    usage: () => gatewayTree(supervisor),
  };
}

function bareSide({ origin, pid }: TextServer, met: readonly (readonly string[])[]): Side {
  return {
    name: "bare library",
    origin,
    lanes: met.map((phones, from) =>
      textsTo(phones, (to, text) => ({
        path: "/",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ from, to, text }),
      })),
    ),
    usage: () => treeUsage(pid),
  };
}

function textsTo(phones: readonly string[], plan: (phone: string, text: string) => PlannedRequest): PlannedRequest[] {
  return phones.map((phone, n) => plan(phone, `Message ${n} of a conversation`));
}
