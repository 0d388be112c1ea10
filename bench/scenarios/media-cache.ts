import { chunkBytes } from "../../shared/limits.js";
import type { Gateway } from "../../test/harness/gateway.js";
import { startBaseline } from "../baseline/baseline-server.js";
import { compare, speedRatios } from "../compare.js";
import { gatewayRedis, redisSocket } from "../gateway-redis.js";
import { chunkCount, chunkRequest, videoLanes, videoLinks } from "../media/warm-video.js";
import { readMetric, routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import { fetchWhole } from "../target.js";

/**
 * Whole chunks of a 64 MiB video that another router loaded into the cache Redis. The router under load has room for two. The baseline is
 * the bare engine, which reads the same bytes from the same Redis and caches none.
 */
export const mediaCache: Scenario = {
  name: "media-cache",
  about: "GET of a media link, one 512 KiB range a request, from the cache Redis, where another router's request has put it",
  bars: [16, 256].map((connections) => ({ name: speedAt(connections), unit: "", limit: { atLeast: 0.9 } })),
  quick: "2 rounds of 1.5 s",
  gateway: { routers: 2, env: { CHUNK_MEMORY_MIB: "1" } },
  async run(gateway, load, signal, size) {
    const links = await videoLinks(gateway);
    const target = routerTarget(gateway);
    const other = { origin: new URL(gateway.telegram[1] ?? "").origin };
    const [link = ""] = links;
    const redis = await gatewayRedis(gateway);
    try {
      for (let chunk = 0; chunk < chunkCount; chunk++)
        await redis.set(`${keyPrefix}${chunk}`, Buffer.from((await fetchWhole(other, chunkRequest(link, chunk))).body));
    } finally {
      redis.disconnect();
    }
    for (const each of links) await fetchWhole(target, chunkRequest(each, 0));

    const { status, headers } = await fetchWhole(target, chunkRequest(link, 0));
    const body = new Uint8Array();
    const bare = await startBaseline(
      "uWebSockets.js + getBuffer",
      { status, headers, body, values: { redisUrl: redisSocket(gateway), keyPrefix, fileBytes: chunkCount * chunkBytes } },
      signal,
    );
    try {
      const before = await loaded(gateway);
      const comparisons = [];
      for (const connections of [16, 256])
        comparisons.push(
          await compare(load, {
            targets: [target, bare],
            lanes: videoLanes(links),
            connections,
            ...{ full: { rounds: 5, seconds: 4 }, quick: { rounds: 2, seconds: 1.5 } }[size],
          }),
        );
      const after = await loaded(gateway);
      const [redisShare, fromShard] = [(after.redis - before.redis) / (after.all - before.all), after.shard - before.shard];
      if (fromShard > 0) throw new Error(`${fromShard} chunks came from the platform: this was not the cache`);
      return {
        comparisons,
        values: Object.fromEntries(comparisons.map((one) => [speedAt(one.connections), speedRatios(one, target.name, bare.name)])),
        notes: [
          `${links.length} sessions read the same file`,
          `${(redisShare * 100).toFixed(1)} % of the router's chunks came from Redis, the rest from its 1 MiB of memory`,
        ],
      };
    } finally {
      await bare.stop();
    }
  },
};

function speedAt(connections: number): string {
  return `speed by bare uWebSockets.js with ioredis getBuffer, ${connections} clients`;
}

const keyPrefix = "bench:chunk:";

/** Returns the number of chunks that the router has loaded, by source. */
async function loaded(gateway: Gateway): Promise<{ redis: number; shard: number; all: number }> {
  const of = (source: string): Promise<number> => readMetric(gateway, "gateway_router_media_chunks_total", source);
  const [redis, shard, all] = await Promise.all([of('source="redis"'), of('source="shard"'), of("")]);
  return { redis, shard, all };
}
