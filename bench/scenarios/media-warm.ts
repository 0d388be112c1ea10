import { startBaseline } from "../baseline/baseline-server.js";
import { compare, speedRatios } from "../compare.js";
import { allWarm, warmVideo } from "../media/warm-video.js";
import { routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";

/**
 * Whole chunks of a 64 MiB video from the router's memory, compared with the bare engine. The engine also has the whole file, because a
 * single buffer would stay in the processor's cache. 256 connections need many sessions.
 */
export const mediaWarm: Scenario = {
  name: "media-warm",
  about: "GET of a media link, one 512 KiB range a request, from router memory",
  bars: [16, 256].map((connections) => ({ name: speedAt(connections), unit: "", limit: { atLeast: 0.95 } })),
  quick: "2 rounds of 1.5 s",
  async run(gateway, load, signal, size) {
    const { links, bytes, response, lanes } = await warmVideo(gateway);
    const target = routerTarget(gateway);
    const bare = await startBaseline("bare uWebSockets.js", { ...response, body: bytes, ranged: true }, signal);
    try {
      const comparisons = await allWarm(gateway, async () => {
        const done = [];
        for (const connections of [16, 256])
          done.push(await compare(load, { targets: [target, bare], lanes, connections, ...sizes[size] }));
        return done;
      });
      return {
        comparisons,
        values: Object.fromEntries(comparisons.map((one) => [speedAt(one.connections), speedRatios(one, target.name, bare.name)])),
        notes: [`${links.length} sessions read the same file`, "every chunk came from router memory"],
      };
    } finally {
      await bare.stop();
    }
  },
};

const sizes = { full: { rounds: 5, seconds: 4 }, quick: { rounds: 2, seconds: 1.5 } };

function speedAt(connections: number): string {
  return `speed by bare uWebSockets.js, ${connections} clients`;
}
