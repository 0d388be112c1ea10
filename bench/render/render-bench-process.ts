import { createHash } from "node:crypto";
import typia from "typia";
import { silentLog } from "../../shared/log/logger.js";
import { writeFontConfig } from "../../shard/files/image/font-config.js";
import { ImagePool } from "../../shard/files/image/image-pool.js";
import { storyImageMaxPixels } from "../../shared/limits.js";
import { serveParent } from "../child.js";
import { processTreeCpuSeconds } from "../process-cpu.js";
import { quantile } from "../quantile.js";
import type { Engine, Rendered, RenderMessage, RenderWork } from "./render-messages.js";

const isMessage = typia.createAssert<RenderMessage>();

interface Renderer {
  readonly textCard: (text: string) => Promise<Uint8Array>;
  readonly scaleImage: (picture: Uint8Array) => Promise<Uint8Array>;
}

let renderer: Renderer | undefined;

serveParent(async (message) => {
  const order = isMessage(message);
  if (order.kind === "start") {
    renderer = await open(order.engine, order.folder);
    return {};
  }
  if (renderer === undefined) throw new Error("not started");
  return await run(renderer, order.work, order.inFlight, order.seconds);
});

async function open(engine: Engine, folder: string): Promise<Renderer> {
  if (engine === "pool") {
    const pool = new ImagePool({ log: silentLog, cacheFolder: folder });
    await pool.start();
    return { textCard: (text) => pool.textCard(text), scaleImage: async (picture) => (await pool.scaleImage(picture)).bytes };
  }
  // Set before the library is loaded, because it reads the list of fonts once.
  process.env["FONTCONFIG_FILE"] = await writeFontConfig(folder);
  const [{ drawTextCard }, { scaleImage }] = await Promise.all([
    import("../../shard/files/image/text-card.js"),
    import("../../shard/files/image/scale.js"),
  ]);
  return {
    textCard: drawTextCard,
    scaleImage: async (source) => (await scaleImage({ source, maxSide: storyImageMaxPixels, quality: 90 })).bytes,
  };
}

async function run({ textCard, scaleImage }: Renderer, work: RenderWork, inFlight: number, seconds: number): Promise<Rendered> {
  const task = (index: number): Promise<Uint8Array> =>
    work.kind === "text-card" ? textCard(work.texts[index % work.texts.length] ?? "") : scaleImage(work.picture);
  const firstDigest = createHash("sha256")
    .update(await task(0))
    .digest("hex");
  const latencies: number[] = [];
  let [bytes, next] = [0, 0];
  const cpuAtStart = await processTreeCpuSeconds(process.pid);
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const player = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const requestedAt = performance.now();
      bytes += (await task(next++)).length;
      latencies.push(performance.now() - requestedAt);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, player));
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const cpuSeconds = (await processTreeCpuSeconds(process.pid)) - cpuAtStart;
  latencies.sort((a, b) => a - b);
  return {
    tasks: latencies.length,
    elapsedSeconds,
    cpuSeconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    bytes,
    firstDigest,
  };
}
