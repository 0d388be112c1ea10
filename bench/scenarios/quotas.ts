import { loggedIn, request } from "../../test/harness/api.js";
import { eventually } from "../../test/harness/eventually.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { compare, cpuRatios, type Comparison } from "../compare.js";
import { allWarm, warmVideo } from "../media/warm-video.js";
import { routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import type { Target } from "../target.js";

/**
 * Measures the cost of checking a tenant's quotas: the same requests to the same router, in alternation with no quotas and with quotas too
 * high to be reached.
 */
export const quotas: Scenario = {
  name: "quotas",
  about: "GET /session and warm media of a tenant that has quotas, and of the same tenant without any",
  bars: kinds().map((what) => ({ name: bar(what), unit: "", limit: { atMost: 1.03 } })),
  quick: "2 rounds of 1.5 s",
  gateway: { shards: 1 },
  async run(gateway, load, _signal, size) {
    const [record, media] = kinds();
    const targets = [withQuotas(gateway, held, set), withQuotas(gateway, free, none)];
    const plan = { targets, sameHeaders: false, ...sizes[size] };
    const { lanes } = await warmVideo(gateway);
    const caller = await loggedIn(gateway, "alice");
    // The picture arrives a moment after the login, and the response must not change later.
    await eventually("the picture", async () => (await caller.record()).picture);
    const { id, sessionId } = caller.credentials;
    const request = { path: `${new URL(gateway.telegram[0] ?? "").pathname}/session`, headers: { id, "session-id": sessionId } };
    const comparisons: Comparison[] = [
      { ...(await compare(load, { ...plan, lanes: [[request]], connections: 64 })), what: record },
      { ...(await allWarm(gateway, () => compare(load, { ...plan, lanes, connections: 16 }))), what: media },
    ];
    return {
      comparisons,
      values: Object.fromEntries(comparisons.map((one) => [bar(one.what ?? ""), cpuRatios(one, held, free)])),
      notes: ["one router, whose CPU is measured; quotas are changed between two turns", `quotas: ${JSON.stringify(set)}`],
    };
  },
};

const held = "with quotas";
const free = "without quotas";
const sizes = { full: { rounds: 12, seconds: 3 }, quick: { rounds: 2, seconds: 1.5 } };
const set = { requestsPerSecond: 1_000_000, inFlight: 1_000_000, messagesPerDay: 1_000_000_000, mediaBytesPerSecond: 1_000_000_000_000 };
const none = Object.fromEntries(Object.keys(set).map((quota) => [quota, null]));

function kinds(): readonly [record: string, media: string] {
  return ["GET /session", "warm media"];
}

function bar(what: string): string {
  return `CPU with quotas by CPU without: ${what}`;
}

/** All sessions belong to the default tenant. With a single router, a change applies once its response is sent. */
function withQuotas(gateway: Gateway, name: string, wanted: object): Target {
  const router = routerTarget(gateway);
  return {
    ...router,
    name,
    prepare: async () => {
      const { status } = await request(`${router.origin}/admin/tenants/default`, {
        method: "PATCH",
        headers: { "x-api-key": gateway.adminKey, "content-type": "application/json" },
        body: JSON.stringify({ quotas: wanted }),
      });
      if (status !== 200) throw new Error(`quotas could not be changed: ${status}`);
    },
  };
}
