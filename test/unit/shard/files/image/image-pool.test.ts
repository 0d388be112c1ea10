import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import jsQR from "jsqr";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ImagePool, type ImagePoolOptions } from "../../../../../shard/files/image/image-pool.js";
import { eventually } from "../../../../harness/eventually.js";
import { silentLog } from "../../../../../shared/log/logger.js";

/** The render process needs a compiled file, so the test uses the build's. */
const entry = new URL("../../../../../dist/shard/files/image/render-process.js", import.meta.url);
let folder: string;
const pools: ImagePool[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tl-render-"));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
  expect(renderProcesses()).toEqual([]);
});

async function aPool(options: Partial<ImagePoolOptions> = {}): Promise<ImagePool> {
  const pool = new ImagePool({ log: silentLog, cacheFolder: join(folder, "fonts"), entry, ...options });
  pools.push(pool);
  await pool.start();
  return pool;
}

/** Returns a pool whose process has drawn once, and the id of the process. */
async function aDrawingPool(options: Partial<ImagePoolOptions> = {}): Promise<{ pool: ImagePool; pid: number }> {
  const pool = await aPool(options);
  // The start of a process may take longer than a task of this pool may wait.
  await eventually("the first picture", async () => (await pool.textCard("first").catch(() => undefined)) !== undefined);
  return { pool, pid: renderProcesses()[0] ?? 0 };
}

/** Returns the child processes of this process that are render processes. */
function renderProcesses(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && isRenderChild(pid));
}

function isRenderChild(pid: number): boolean {
  try {
    const parent = / \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
    return Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("render-process");
  } catch {
    return false; // The process ended between the two reads.
  }
}

const status = (pid: number, field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
const aPicture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "#c04020" } })
    .jpeg()
    .toBuffer();

/** Returns a render process that never finishes a text that begins with "endless". */
async function endlessEntry(): Promise<URL> {
  const path = join(folder, "endless.mjs");
  const script = `process.on("message", ({ id, task }) => {
    while (task.input.text.startsWith("endless"));
    process.send({ kind: "result", id, result: { ok: true, output: Buffer.from(task.input.text) } });
  });
  process.on("disconnect", () => process.exit());
  process.send({ kind: "ready" });`;
  await writeFile(path, script);
  return pathToFileURL(path);
}

describe("a task that takes too long", () => {
  const tenantOf = (key: string): string => key.slice(0, 1);

  it("ends after 2 to 3 s of work, however long it may take otherwise, and the next one is served at once", async () => {
    const pool = await aPool({ entry: await endlessEntry(), threads: 1, taskMs: 600_000 });
    for (let round = 0; round < 3; round++) {
      await expect(pool.textCard("endless")).rejects.toMatchObject({ detail: "timeout" });
      expect(String(await pool.textCard("next"))).toBe("next");
    }
  });

  it("costs its tenant turns, and delays no other tenant's picture", async () => {
    const pool = await aPool({ entry: await endlessEntry(), threads: 2, tenantOf });
    const order: string[] = [];
    const draw = async (text: string, key: string): Promise<void> => void order.push(String(await pool.textCard(text, { key })));
    const late = pool.textCard("endless", { key: "a" });
    late.catch(() => undefined);
    // This task runs in the same process, which the first task's deadline ends. The others are queued.
    await delay(1_000);
    const victim = draw("victim", "b");
    const waiting = [...Array.from({ length: 4 }, () => draw("a", "a1")), ...Array.from({ length: 4 }, () => draw("b", "b1"))];
    await expect(late).rejects.toMatchObject({ detail: "timeout" });
    await Promise.all([victim, ...waiting]);
    expect(order).toContain("victim");
    expect(order.filter((text) => text !== "victim").slice(0, 4)).toEqual(["b", "b", "b", "b"]);
  });
});

describe("the render pool", () => {
  it("draws QR codes that a camera reads", async () => {
    const pool = await aPool();
    for (const text of ["tg://login?token=" + "A_-z".repeat(12), "2@" + "Ab9+/=,".repeat(34), "x"]) {
      const png = await pool.qrPng(text);
      const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      expect(info.width).toBeGreaterThanOrEqual(300);
      expect(jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(text);
    }
  });

  it("draws cards, scales pictures and makes thumbnails in a process of its own", async () => {
    const outcomes: string[] = [];
    const pool = await aPool({ onTask: (task, outcome) => outcomes.push(`${task} ${outcome}`) });
    expect(await sharp(await pool.textCard("Hello שלום 🎉")).metadata()).toMatchObject({ format: "jpeg", width: 1080, height: 1920 });
    const large = await aPicture(3000, 1500);
    const scaled = await pool.scaleImage(large);
    expect(scaled).toMatchObject({ width: 1080, height: 540 });
    expect(Buffer.isBuffer(scaled.bytes)).toBe(true);
    await writeFile(join(folder, "large.jpg"), large);
    expect(await pool.scaleImage(join(folder, "large.jpg"))).toMatchObject({ width: 1080, height: 540 });
    expect(await pool.thumbnail(large)).toMatchObject({ width: 320, height: 160 });
    await expect(pool.scaleImage(Buffer.from("%PDF-1.7"))).rejects.toMatchObject({
      name: "ImageError",
      detail: "unsupported image format",
    });
    await expect(pool.scaleImage(large.subarray(0, 2000))).rejects.toMatchObject({ detail: "image is damaged" });
    expect(outcomes).toEqual([
      "text-card ok",
      "scale-image ok",
      "scale-image ok",
      "scale-image ok",
      "scale-image unsupported image format",
      "scale-image image is damaged",
    ]);
    expect(pool.pending).toBe(0);
  });

  it("keeps our environment to itself and is the first to go when memory runs out", async () => {
    process.env["SECRET_OF_THE_SHARD"] = "hunter2";
    const { pid } = await aDrawingPool();
    delete process.env["SECRET_OF_THE_SHARD"];
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("hunter2");
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8").trim()).toBe("500");
  });

  it("starts its process with the first picture, and not for codes", async () => {
    const pool = await aPool({ threads: 1 });
    expect((await pool.qrPng("a code")).length).toBeGreaterThan(100);
    expect(renderProcesses()).toEqual([]);
    await pool.scaleImage(await aPicture(100, 100));
    expect(renderProcesses()).toHaveLength(1);
  });

  it("ends its process when nothing is drawn for a while, and starts one for the next picture", async () => {
    let restarts = 0;
    const { pool, pid } = await aDrawingPool({ idleMs: 300, onRestart: () => restarts++ });
    await expect.poll(renderProcesses).toEqual([]);
    expect((await pool.textCard("next")).length).toBeGreaterThan(100);
    expect(renderProcesses()).not.toContain(pid);
    expect(restarts).toBe(0);
  });

  it("survives the death of its process: what ran fails with `worker exited`, what comes after succeeds", async () => {
    let restarts = 0;
    const { pool, pid } = await aDrawingPool({ onRestart: () => restarts++, threads: 1 });
    process.kill(pid, "SIGSTOP");
    const running = pool.textCard("lost");
    const waiting = pool.textCard("patient");
    running.catch(() => undefined);
    await delay(50);
    process.kill(pid, "SIGKILL");
    await expect(running).rejects.toMatchObject({ detail: "worker exited" });
    expect((await waiting).length).toBeGreaterThan(100);
    expect((await pool.textCard("next")).length).toBeGreaterThan(100);
    expect(restarts).toBe(1);
    expect(renderProcesses()).not.toContain(pid);
  });

  it("ends a process whose task hangs, reports `timeout`, and continues", async () => {
    const { pool, pid } = await aDrawingPool({ taskMs: 8_000, threads: 1 });
    process.kill(pid, "SIGSTOP");
    await expect(pool.textCard("hangs")).rejects.toMatchObject({ detail: "timeout" });
    expect((await pool.textCard("next")).length).toBeGreaterThan(100);
  });

  it("draws QR codes while no picture can be drawn, and with its tenant's quota used up", async () => {
    const quota = { enter: (): Promise<undefined> => Promise.resolve(undefined) };
    const pool = await aPool({ threads: 1, quota });
    const picture = pool.textCard("waits");
    picture.catch(() => undefined);
    expect(await Promise.all(["a", "b", "c"].map(async (text) => (await pool.qrPng(text)).length > 100))).toEqual([true, true, true]);
    await expect(picture).rejects.toMatchObject({ detail: "render queue is full" });
  });

  it("does not end on a signal to the process group, only with the shard", async () => {
    const { pool, pid } = await aDrawingPool();
    process.kill(pid, "SIGTERM");
    process.kill(pid, "SIGINT");
    // A process that ends by a signal may finish one more task first.
    await delay(100);
    expect((await pool.textCard("x")).length).toBeGreaterThan(100);
    expect(renderProcesses()).toEqual([pid]);
  });

  it("bounds its line, by number and by bytes, and the wait in it", async () => {
    const { pool, pid } = await aDrawingPool({ threads: 1, maxWaiting: 2, waitMs: 400, taskMs: 60_000 });
    process.kill(pid, "SIGSTOP");
    const tasks = ["a", "b", "c"].map((text) => pool.textCard(text));
    for (const task of tasks) task.catch(() => undefined);
    expect(pool.pending).toBe(3);
    await expect(pool.textCard("d")).rejects.toMatchObject({ detail: "render queue is full" });
    await expect(pool.scaleImage(Buffer.alloc(200 * 1024 * 1024))).rejects.toMatchObject({ detail: "render queue is full" });
    await expect(tasks[1]).rejects.toMatchObject({ detail: "timeout" });
    process.kill(pid, "SIGCONT");
    expect((await tasks[0])?.length).toBeGreaterThan(100);
    expect(pool.pending).toBe(0);
  });

  it("lets a caller go at once, and frees the thread when it is done", async () => {
    const { pool, pid } = await aDrawingPool({ threads: 1 });
    process.kill(pid, "SIGSTOP");
    const [first, second] = [new AbortController(), new AbortController()];
    const running = pool.textCard("a", { signal: first.signal });
    const waiting = pool.textCard("b", { signal: second.signal });
    first.abort(new Error("client gone"));
    second.abort(new Error("client gone"));
    await expect(running).rejects.toThrow("client gone");
    await expect(waiting).rejects.toThrow("client gone");
    process.kill(pid, "SIGCONT");
    await expect.poll(() => pool.pending).toBe(0);
    expect((await pool.textCard("c")).length).toBeGreaterThan(100);
  });

  it("refuses tasks after its end and fails those it holds", async () => {
    const pool = await aPool();
    const task = pool.textCard("x");
    const code = pool.qrPng("x");
    for (const one of [task, code]) one.catch(() => undefined);
    await pool.stop();
    await expect(code).rejects.toMatchObject({ detail: expect.stringMatching(/stopped|exited/) as string });
    await expect(task).rejects.toMatchObject({ detail: expect.stringMatching(/stopped|exited/) as string });
    await expect(pool.qrPng("x")).rejects.toMatchObject({ detail: "render pool is stopped" });
  });

  it("does not start without its compiled process", async () => {
    await expect(aPool({ entry: pathToFileURL(join(folder, "none.js")) })).rejects.toThrow("ENOENT");
  });

  it("stays under 300 MB through bombs, large pictures and endless text, while the shard's own memory is flat", async () => {
    const { pool, pid } = await aDrawingPool({ threads: 1 });
    const noise = { type: "gaussian", mean: 128, sigma: 20 } as const;
    const tile = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: "red", noise } })
      .png()
      .toBuffer();
    // Tiles of noise, because noise for every pixel takes longer to create than the whole test.
    const photo = await sharp({ create: { width: 7000, height: 7000, channels: 3, background: "red" } })
      .composite([{ input: tile, tile: true }])
      .jpeg({ quality: 60 })
      .toBuffer();
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 2; round++) {
      expect(await pool.scaleImage(photo)).toMatchObject({ width: 1080, height: 1080 });
      await pool.textCard("你好世界".repeat(10_000));
      await pool.textCard("👨‍👩‍👧‍👦".repeat(2_600));
      await expect(pool.scaleImage(photo.subarray(0, photo.length / 2))).rejects.toMatchObject({ detail: "image is damaged" });
    }
    expect(status(pid, "VmHWM") / 1024).toBeLessThan(300);
    expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(100);
  });

  it("ends with its parent: a shard that was killed leaves no process behind", async () => {
    const { fork } = await import("node:child_process");
    const script = join(folder, "parent.mjs");
    const child = `import { RenderChild } from ${JSON.stringify(new URL("render-child.js", entry).href)};
      const child = new RenderChild({ entry: new URL(${JSON.stringify(entry.href)}), fontConfig: "", threads: 1, onEnding: () => undefined });
      await child.ready; process.send(child.pid);`;
    await writeFile(script, child);
    const parent = fork(script, { execArgv: [] });
    const pid = await new Promise<number>((resolve) => parent.once("message", (message) => resolve(Number(message))));
    parent.kill("SIGKILL");
    await expect
      .poll(() =>
        readdir(`/proc/${pid}`).then(
          () => "alive",
          () => "gone",
        ),
      )
      .toBe("gone");
  });
});
