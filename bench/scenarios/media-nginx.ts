import { lacksNginx, startNginx } from "../baseline/nginx.js";
import { compare, cpuRatios, speedRatios } from "../compare.js";
import { allWarm, chunkCount, chunkRequest, warmVideo } from "../media/warm-video.js";
import { routerTarget } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import { fetchWhole } from "../target.js";

/**
 * Compares the gateway's cache with nginx as a caching proxy in front: slices, and a warm disk cache that is in the page cache. nginx
 * checks no signature and no session.
 */
export const mediaNginx: Scenario = {
  name: "media-nginx",
  about: "GET of a media link, one 512 KiB range a request: the router's memory beside nginx with a warm disk cache",
  bars: [16, 256].flatMap((connections) => [
    { name: speedAt(connections), unit: "", limit: "reported" },
    { name: cpuAt(connections), unit: "", limit: "reported" },
  ]),
  quick: "2 rounds of 1.5 s",
  lacks: () => Promise.resolve(lacksNginx()),
  async run(gateway, load, _signal, size) {
    const { links, lanes } = await warmVideo(gateway);
    const target = routerTarget(gateway);
    const nginx = await startNginx(target.origin);
    try {
      for (let chunk = 0; chunk < chunkCount; chunk++) await Promise.all(links.map((link) => fetchWhole(nginx, chunkRequest(link, chunk))));
      const comparisons = await allWarm(gateway, async () => {
        const done = [];
        for (const connections of [16, 256])
          done.push(await compare(load, { targets: [target, nginx], lanes, connections, sameHeaders: false, ...sizes[size] }));
        return done;
      });
      return {
        comparisons,
        values: Object.fromEntries(
          comparisons.flatMap((one) => [
            [speedAt(one.connections), speedRatios(one, target.name, nginx.name)],
            [cpuAt(one.connections), cpuRatios(one, target.name, nginx.name)],
          ]),
        ),
        notes: [
          `nginx of the distribution, one worker, sendfile, slices of 512 KiB, ${links.length} links and so as many copies of the file in its cache`,
          "CPU is that of the router's process or of nginx and its worker",
        ],
      };
    } finally {
      await nginx.stop();
    }
  },
};

const sizes = { full: { rounds: 5, seconds: 4 }, quick: { rounds: 2, seconds: 1.5 } };

function speedAt(connections: number): string {
  return `speed by nginx, ${connections} clients`;
}

function cpuAt(connections: number): string {
  return `CPU of a request by nginx's, ${connections} clients`;
}
