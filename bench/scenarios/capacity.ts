import { setTimeout as sleep } from "node:timers/promises";
import typia from "typia";
import type { Work, WorkCosts } from "../../deploy/cli/capacity/unit-costs.js";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { loggedIn, type Caller } from "../../test/harness/api.js";
import { eventually } from "../../test/harness/eventually.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { emptyShardFigure, figuresOf, loginFigure } from "../capacity/cost-figures.js";
import { CostMeter } from "../capacity/cost-meter.js";
import type { Chart } from "../chart/chart.js";
import type { Figure } from "../figure.js";
import { chunkCount, chunkRequest, videoLinks } from "../media/warm-video.js";
import { Receiver } from "../receiver/receiver.js";
import { routerTarget } from "../router-target.js";
import { control } from "../sandbox-control.js";
import type { Scenario } from "../scenario.js";
import { fetchWhole } from "../target.js";

/**
 * Measures the parts of the `trunkline capacity` model, besides idle sessions (`whatsapp-idle`, `telegram-idle`): real first logins, and
 * each kind of work by itself.
 */
export const capacity: Scenario = {
  name: "capacity",
  about: "what a login, a text, a message that comes in, a read and a MiB of media take of each process, of Redis' memory and of its file",
  quick: "8 logins of each platform, 25 messages each",
  gateway: { routers: 1, shards: 1 },
  async run(gateway, _load, signal, size) {
    const { logins, messages } = sizes[size];
    const meter = await CostMeter.open(gateway);
    const receiver = await Receiver.start(signal);
    try {
      const figures: Figure[] = [{ what: emptyShardFigure, unit: "B", value: await meter.shardBytes(), how: "a moment after its start" }];
      const texts = new Map<string, WorkCosts>();
      let idling = meter;
      const measured = async (work: Work, count: number, how: string, run: () => Promise<void>): Promise<void> => {
        signal.throwIfAborted();
        const costs = await idling.of(count, run);
        figures.push(...figuresOf(work, costs, how));
        texts.set(work, costs);
      };
      for (const platform of platforms) {
        const bytesBefore = await meter.keyBytes();
        const people = await loginsOf(gateway, platform, logins);
        await sleep(settleMs, undefined, { signal });
        figures.push({
          what: loginFigure(platform),
          unit: "B",
          value: ((await meter.keyBytes()) - bytesBefore) / logins,
          how: `MEMORY USAGE of all keys after ${logins} first logins by QR less that before, by login`,
        });
        const friend = await account(gateway, platform, "friend");
        const send = async ({ caller }: Person, n: number): Promise<void> =>
          expected(await caller.send("POST", "/message", { phone: friend, type: "text", text: `Message ${n}` }));
        // By now the recipients are known, and the first calls have compiled the code.
        await together(people, warmUp, send);
        await sleep(settleMs, undefined, { signal });
        idling = await meter.afterIdling(idleMs, signal);
        const all = messages * logins;
        const how = `${all} by ${logins} sessions at once`;
        await measured(
          platform === "telegram" ? "telegramText" : "whatsappText",
          all,
          `${how}, to somebody who was written to before`,
          () => together(people, messages, send),
        );
        if (platform === "telegram")
          for (const { caller } of people) expected(await caller.send("PUT", "/session/webhook", { url: receiver.url, token: "token" }));
        const comes = async ({ name }: Person, n: number): Promise<void> => {
          await control(gateway, platform, "/people/send", { account: name, text: `Message ${n}` });
        };
        await together(people, 1, comes);
        await sleep(settleMs, undefined, { signal });
        await measured(platform === "telegram" ? "telegramIncoming" : "whatsappIncoming", all, `${how}, from a contact`, async () => {
          const eventsBefore = (await receiver.received()).events;
          await together(people, messages, comes);
          if (platform === "telegram")
            await eventually("all events", async () => (await receiver.received()).events - eventsBefore >= all, waitMs);
          await sleep(settleMs, undefined, { signal });
        });
        if (platform === "telegram")
          await measured("read", reads, `${reads} by ${logins} callers at once`, () =>
            together(people, reads / logins, async ({ caller }) => void (await caller.record())),
          );
      }
      const [link = ""] = await videoLinks(gateway, 1);
      const film = async (): Promise<void> => {
        for (let chunk = 0; chunk < chunkCount; chunk++) await fetchWhole(routerTarget(gateway), chunkRequest(link, chunk));
      };
      await measured("coldMib", filmMib, `a video of ${filmMib} MiB by one client, in no cache`, film);
      await measured("warmMib", filmMib, "the same video again, out of the router's memory", film);
      return {
        figures,
        charts: [chartOf(texts)],
        notes: [
          "one router, one shard; the sandbox is not in load mode",
          `less what the same processes take in as long with the same sessions and no work, as seen over ${idleMs / 1000} s`,
        ],
      };
    } finally {
      await receiver.stop();
      meter.close();
    }
  },
};

const sizes = { full: { logins: 20, messages: 100 }, quick: { logins: 8, messages: 25 } };
const reads = 2_000;
const filmMib = 64;
/** Names, pictures and acknowledgements arrive after the login. */
const settleMs = 3_000;
const idleMs = 10_000;
const warmUp = 10;
const waitMs = 60_000;
const isAccount = typia.createAssert<{ phone: string }>();

interface Person {
  readonly name: string;
  readonly caller: Caller;
}

async function loginsOf(gateway: Gateway, platform: Platform, count: number): Promise<Person[]> {
  const people: Person[] = [];
  for (let n = 0; n < count; n++) {
    const name = `capacity-${n}`;
    await account(gateway, platform, name);
    people.push({ name, caller: await loggedIn(gateway, name, platform) });
  }
  return people;
}

/** Creates an account and resolves with its number. */
async function account(gateway: Gateway, platform: Platform, name: string): Promise<string> {
  return isAccount(await control(gateway, platform, "/accounts", { account: name, contacts: 30 })).phone;
}

/** Runs all people at once, and the work of each one after the other. */
async function together(people: readonly Person[], times: number, work: (person: Person, n: number) => Promise<void>): Promise<void> {
  await Promise.all(
    people.map(async (person) => {
      for (let n = 0; n < times; n++) await work(person, n);
    }),
  );
}

function expected({ status, body }: { readonly status: number; readonly body: unknown }): void {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}

function chartOf(costs: ReadonlyMap<string, WorkCosts>): Chart {
  const series = { shardCpuMs: "shard", routerCpuMs: "router", redisCpuMs: "Redis" } as const;
  return {
    kind: "bars",
    title: "capacity: CPU of one piece of work",
    unit: "CPU ms",
    groups: [...costs].map(([name, cost]) => ({
      name,
      bars: (["shardCpuMs", "routerCpuMs", "redisCpuMs"] as const).map((kind) => ({ series: series[kind], value: cost[kind] })),
    })),
  };
}
