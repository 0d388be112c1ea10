import { loggedIn } from "../../test/harness/api.js";
import { eventually } from "../../test/harness/eventually.js";
import { startBaseline } from "../baseline/baseline-server.js";
import { compare, speedRatios, type Comparison } from "../compare.js";
import { redisSocket } from "../gateway-redis.js";
import { routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import { fetchWhole } from "../target.js";

const bareName = "bare uWebSockets.js";
const readingName = "uWebSockets.js + Redis read";

/**
 * Measures reads of a connected session's record. The bare engine does no I/O. The second baseline also does the read from Redis, and
 * nothing else.
 */
export const sessionRecord: Scenario = {
  name: "session-record",
  about: "GET /session of a connected session",
  bars: [
    { name: speedBy(bareName), unit: "", limit: { atLeast: 0.5 } },
    { name: speedBy(readingName), unit: "", limit: { atLeast: 1 } },
  ],
  quick: "2 rounds of 1.5 s",
  async run(gateway, load, signal, size) {
    const caller = await loggedIn(gateway, "alice");
    // The picture arrives a moment after the login, and the response must not change later.
    await eventually("the picture", async () => (await caller.record()).picture);
    const { id, sessionId } = caller.credentials;
    const request = { path: `${new URL(gateway.telegram[0] ?? "").pathname}/session`, headers: { id, "session-id": sessionId } };
    const target = routerTarget(gateway);
    const response = await fetchWhole(target, request);
    const bare = await startBaseline(bareName, response, signal);
    try {
      const reads = { redisUrl: redisSocket(gateway), session: id };
      const reading = await startBaseline(readingName, { ...response, reads }, signal);
      try {
        const comparisons: Comparison[] = [];
        for (const connections of [16, 64])
          comparisons.push(
            await compare(load, {
              targets: [target, bare, reading],
              lanes: [[request]],
              connections,
              ...{ full: { rounds: 5, seconds: 2.5 }, quick: { rounds: 2, seconds: 1.5 } }[size],
            }),
          );
        const values = Object.fromEntries(
          [bare, reading].map(({ name }) => [speedBy(name), comparisons.flatMap((one) => speedRatios(one, target.name, name))]),
        );
        return { comparisons, values, notes: [`an answer has ${response.body.length} bytes`] };
      } finally {
        await reading.stop();
      }
    } finally {
      await bare.stop();
    }
  },
};

function speedBy(baseline: string): string {
  return `speed by ${baseline}`;
}
