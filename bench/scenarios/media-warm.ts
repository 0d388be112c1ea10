import { startBaseline } from "../baseline/baseline-server.js";
import { compare, speedRatios, type Comparison } from "../compare.js";
import type { LoadGenerator } from "../load/load-generator.js";
import { allWarm, warmReceivedVideo, warmVideo, type WarmVideo } from "../media/warm-video.js";
import { routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import type { Gateway } from "../../test/harness/gateway.js";

const clients = [16, 256];

/** Videos that are compared. `of` is a part of the bar's name. */
const kinds = [
  { of: "", atLeast: 0.95, warm: warmVideo },
  { of: " a received WhatsApp file,", atLeast: 0.85, warm: warmReceivedVideo },
] as const;
type Kind = (typeof kinds)[number];

/**
 * Whole chunks of a 64 MiB video from the router's memory, compared with the bare engine. The engine also has the whole file, because a
 * single buffer would stay in the processor's cache. 256 connections need many sessions.
 */
export const mediaWarm: Scenario = {
  name: "media-warm",
  about: "GET of a media link, one 512 KiB range a request, from router memory",
  bars: kinds.flatMap((kind) => clients.map((count) => ({ name: speedAt(kind, count), unit: "", limit: { atLeast: kind.atLeast } }))),
  quick: "2 rounds of 1.5 s",
  async run(gateway, load, signal, size) {
    const comparisons: Comparison[] = [];
    const values: Record<string, readonly number[]> = {};
    for (const kind of kinds) {
      const video = await kind.warm(gateway);
      for (const one of await beside(gateway, load, video, { ...sizes[size], signal })) {
        comparisons.push(kind.of === "" ? one : { ...one, what: `a received WhatsApp file, ${one.connections} connections` });
        values[speedAt(kind, one.connections)] = speedRatios(one, routerTarget(gateway).name, bareName);
      }
    }
    return { comparisons, values, notes: ["24 sessions of each platform read the same file", "every chunk came from router memory"] };
  },
};

const sizes = { full: { rounds: 5, seconds: 4 }, quick: { rounds: 2, seconds: 1.5 } };
const bareName = "bare uWebSockets.js";

async function beside(
  gateway: Gateway,
  load: LoadGenerator,
  { bytes, response, lanes }: WarmVideo,
  { signal, ...size }: { readonly rounds: number; readonly seconds: number; readonly signal: AbortSignal },
): Promise<Comparison[]> {
  const bare = await startBaseline(bareName, { ...response, body: bytes, ranged: true }, signal);
  try {
    return await allWarm(gateway, async () => {
      const done = [];
      for (const connections of clients)
        done.push(await compare(load, { targets: [routerTarget(gateway), bare], lanes, connections, ...size }));
      return done;
    });
  } finally {
    await bare.stop();
  }
}

function speedAt({ of }: Kind, connections: number): string {
  return `speed by bare uWebSockets.js,${of} ${connections} clients`;
}
