import { startGateway, type Gateway } from "../../test/harness/gateway.js";
import type { Figure } from "../figure.js";
import { CpuQuota } from "../scale/cpu-quota.js";
import { prepared, sessionCount, worked, type SizedGateway, type Worked } from "../scale/sized-gateway.js";
import type { Scenario } from "../scenario.js";
import { spread } from "../spread.js";

/**
 * Runs the same work on one, two and four shards. Each shard gets a small fixed share of a core, so that only shards are scarce. All
 * gateways run at once, and rounds alternate between them.
 */
export const scale: Scenario = {
  name: "scale",
  about: "a fixed number of POST /typing over Telegram by 1, 2 and 4 shards",
  bars: [2, 4].map((shards) => ({ name: gainOf(shards), unit: "", limit: "reported" })),
  quick: "one round of 300 commands",
  gateway: { shards: 1, env: loadMode() },
  async run(first, load, signal, size) {
    const { rounds, requests } = sizes[size];
    const quota = await CpuQuota.open(coreShare);
    const further: Gateway[] = [];
    try {
      const gateways: SizedGateway[] = [];
      for (const shards of counts) {
        signal.throwIfAborted();
        const gateway = shards === 1 ? first : await startGateway({ routers: 1, shards, env: loadMode() });
        if (shards > 1) further.push(gateway);
        gateways.push(await prepared(gateway, shards, quota, signal));
      }
      // Each session sends at least one request.
      for (const gateway of gateways) await worked(gateway, load, Math.max(sessionCount, Math.round(requests / 5)));
      const done = new Map(counts.map((shards) => [shards, [] as Worked[]]));
      for (let round = 0; round < rounds; round++) {
        signal.throwIfAborted();
        for (const gateway of round % 2 === 0 ? gateways : gateways.toReversed())
          done.get(gateway.shards)?.push(await worked(gateway, load, requests));
      }
      const gains = counts.map((shards) => ({
        shards,
        gain: (done.get(shards) ?? []).map(({ perSecond }, round) => perSecond / (done.get(1)?.[round]?.perSecond ?? Number.NaN)),
      }));
      return {
        figures: gateways.flatMap((gateway) => figuresOf(gateway, done.get(gateway.shards) ?? [], quota !== undefined)),
        values: Object.fromEntries(gains.filter(({ shards }) => shards > 1).map(({ shards, gain }) => [gainOf(shards), gain])),
        charts: [
          {
            kind: "lines",
            title: "scale: the same work by more shards",
            unit: "commands/s",
            x: { name: "shards" },
            series: [
              { name: "measured", points: counts.map((shards) => [shards, rate(done.get(shards) ?? [])] as const) },
              {
                name: "one shard's rate by their number",
                points: counts.map((shards) => [shards, rate(done.get(1) ?? []) * shards] as const),
              },
            ],
          },
        ],
        notes: [
          quota === undefined
            ? "control groups cannot be made here: shards share the cores with everything else, and what is measured is the machine"
            : `each shard is held to ${coreShare} of a core (Linux control group)`,
          `${requests} commands a round, each session one at a time; three gateways with a sandbox each run beside each other`,
        ],
      };
    } finally {
      for (const gateway of further) await gateway.stop();
      // The first gateway's shard is still in its control group, which can only be removed after the shard has ended.
      await first.interrupt();
      await quota?.close();
    }
  },
};

const counts: readonly number[] = [1, 2, 4];
const coreShare = 0.1;
const sizes = { full: { rounds: 5, requests: 2_000 }, quick: { rounds: 1, requests: 300 } };

function loadMode(): Record<string, string> {
  return { SANDBOX_LOAD: "1" };
}

function gainOf(shards: number): string {
  return `rate of ${shards} shards by that of 1`;
}

function rate(done: readonly Worked[]): number {
  return spread(done.map(({ perSecond }) => perSecond)).median;
}

function figuresOf({ shards, operation, fullestShare }: SizedGateway, done: readonly Worked[], held: boolean): Figure[] {
  const over = (read: (one: Worked) => number): Figure["value"] => ({ rounds: done.map(read) });
  const requests = done.map(({ seconds, perSecond }) => seconds * perSecond);
  const each = (read: (one: Worked) => number): Figure["value"] => ({
    rounds: done.map((one, round) => (read(one) * 1e6) / (requests[round] ?? 1)),
  });
  const by = `${shards} ${shards === 1 ? "shard" : "shards"}`;
  return [
    { what: `commands, ${by}`, unit: "1/s", value: over(({ perSecond }) => perSecond), how: operation.what },
    {
      what: `CPU of all shards by command, ${by}`,
      unit: "µs",
      value: each(({ shardCpu }) => shardCpu),
      how: "what the platform's encryption takes included",
    },
    { what: `CPU of the router by command, ${by}`, unit: "µs", value: each(({ routerCpu }) => routerCpu), how: "one router" },
    {
      what: `shards busy, ${by}`,
      unit: held ? "of their shares" : "of a core",
      value: over(({ shardCpu, seconds }) => shardCpu / seconds / (held ? shards * coreShare : 1)),
      how: held ? "near 1 the shards were the limit; below, what they share the machine with" : "all shards together",
    },
    {
      what: `sessions on the fullest shard, ${by}`,
      unit: "of all",
      value: fullestShare,
      how: "slots are spread by hash, and the fullest shard ends last",
    },
  ];
}
