import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { VideoFrames } from "../../../../../shard/files/download/video-frame.js";
import { endlessMp4 } from "../../../../sandbox/files/endless-mp4.js";
import { eventually } from "../../../../harness/eventually.js";

let folder: string;
const never = { key: "session", signal: new AbortController().signal };

const make = (...args: string[]): Buffer => execFileSync("ffmpeg", ["-loglevel", "error", "-y", ...args], { cwd: folder });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "video-test-"));
  make("-f", "lavfi", "-i", "color=c=red:size=640x360:rate=10:duration=2.5", "-pix_fmt", "yuv420p", "-c:v", "libx264", "wide.mp4");
  make("-i", "wide.mp4", "-c", "copy", "-metadata:s:v", "rotate=90", "turned.mp4");
  make("-f", "lavfi", "-i", "color=c=blue:size=100x60:rate=10:duration=1", "small.webm");
  make("-f", "lavfi", "-i", "sine=duration=1", "sound.m4a");
});
afterAll(() => rm(folder, { recursive: true }));

it("reads the first frame, never larger than 320 pixels and never enlarged, with size and duration", async () => {
  const frames = new VideoFrames({});
  const wide = await frames.read(join(folder, "wide.mp4"), never);
  expect(wide).toMatchObject({ width: 640, height: 360, durationSeconds: 2.5 });
  expect(await sharp(wide.jpeg).metadata()).toMatchObject({ format: "jpeg", width: 320, height: 180 });
  const { dominant } = await sharp(wide.jpeg).stats();
  expect([dominant.r > 200, dominant.g < 60, dominant.b < 60]).toEqual([true, true, true]);
  const small = await frames.read(join(folder, "small.webm"), never);
  expect(small).toMatchObject({ width: 100, height: 60 });
  expect(await sharp(small.jpeg).metadata()).toMatchObject({ width: 100, height: 60 });
});

it("shows a turned video upright", async () => {
  const frame = await new VideoFrames({}).read(join(folder, "turned.mp4"), never);
  expect(frame).toMatchObject({ width: 360, height: 640 });
  expect(await sharp(frame.jpeg).metadata()).toMatchObject({ width: 180, height: 320 });
});

it.each([
  ["narrow", "64/45", { width: 1_024, height: 576 }, { width: 320, height: 180 }],
  ["narrow and turned", "64/45", { width: 576, height: 1_024 }, { width: 180, height: 320 }],
  ["flat", "1/2", { width: 360, height: 576 }, { width: 200, height: 320 }],
])("shows a video of %s pixels in the size that screens give it", async (name, ratio, size, jpegSize) => {
  make(
    "-f",
    "lavfi",
    "-i",
    "color=c=red:size=720x576:rate=10:duration=1",
    "-vf",
    `setsar=${ratio}`,
    "-pix_fmt",
    "yuv420p",
    "-c:v",
    "libx264",
    "pal.mp4",
  );
  make("-i", "pal.mp4", "-c", "copy", "-metadata:s:v", `rotate=${name.includes("turned") ? 90 : 0}`, "shown.mp4");
  const frame = await new VideoFrames({}).read(join(folder, "shown.mp4"), never);
  expect(frame).toMatchObject(size);
  expect(await sharp(frame.jpeg).metadata()).toMatchObject(jpegSize);
});

it("refuses what is no video, and playlists that would name other files of this disk", async () => {
  const frames = new VideoFrames({});
  await writeFile(
    join(folder, "list.m3u8"),
    `#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:2.5,\nfile://${join(folder, "wide.mp4")}\n#EXT-X-ENDLIST\n`,
  );
  await writeFile(join(folder, "list.txt"), `ffconcat version 1.0\nfile wide.mp4\n`);
  await writeFile(join(folder, "noise.mp4"), Buffer.alloc(50_000, 7));
  await writeFile(join(folder, "half.mp4"), (await readFile(join(folder, "wide.mp4"))).subarray(0, 1500));
  const detailOf: Record<string, string> = {
    "list.m3u8": "unsupported video format",
    "list.txt": "unsupported video format",
    "noise.mp4": "unsupported video format",
    "sound.m4a": "unsupported video format",
  };
  for (const name of ["list.m3u8", "list.txt", "noise.mp4", "half.mp4", "sound.m4a", "none.mp4", "http://127.0.0.1/a.mp4"]) {
    const detail = detailOf[name] ?? "video could not be read";
    await expect(frames.read(name.includes("://") ? name : join(folder, name), never), name).rejects.toMatchObject({
      name: "ImageError",
      detail,
    });
  }
  await expect(new VideoFrames({ ffprobe: join(folder, "no-such-program") }).read(join(folder, "wide.mp4"), never)).rejects.toMatchObject({
    detail: "video could not be read",
  });
});

it("ends a program that hangs or writes without end, bounds the line, and lets the caller go", async () => {
  await writeFile(join(folder, "hang"), "#!/bin/sh\nwhile :; do sleep 0.1; done\n");
  await writeFile(join(folder, "flood"), "#!/bin/sh\nexec yes\n");
  await Promise.all(["hang", "flood"].map((name) => chmod(join(folder, name), 0o755)));
  const path = join(folder, "wide.mp4");
  const frames = new VideoFrames({ ffprobe: join(folder, "hang"), timeoutMs: 2_000, limit: 1, maxWaiting: 1 });
  const controller = new AbortController();
  const running = frames.read(path, never);
  const waiting = frames.read(path, { key: "another", signal: controller.signal });
  await eventually("the program runs", () => memoryOf(join(folder, "hang")).length > 0);
  await expect(frames.read(path, never)).rejects.toMatchObject({ detail: "render queue is full" });
  controller.abort(new Error("client gone"));
  await expect(waiting).rejects.toThrow("client gone");
  await expect(running).rejects.toMatchObject({ detail: "timeout" });
  expect(memoryOf(join(folder, "hang"))).toEqual([]);
  await expect(new VideoFrames({ ffprobe: join(folder, "flood") }).read(path, never)).rejects.toMatchObject({
    detail: "video could not be read",
  });

  const stopped = new VideoFrames({ ffprobe: join(folder, "hang") });
  const last = stopped.read(path, never);
  last.catch(() => undefined);
  stopped.stop();
  await expect(last).rejects.toMatchObject({ detail: "render pool is stopped" });
  await expect(stopped.read(path, never)).rejects.toMatchObject({ detail: "render pool is stopped" });
});

it("bounds the memory that a tiny video demands by claiming a large length", async () => {
  const path = join(folder, "endless.mp4");
  await writeFile(path, endlessMp4());
  let [reading, peakKb, seen] = [true, 0, 0];
  const read = new VideoFrames({}).read(path, never).catch((error: unknown) => error);
  void read.finally(() => (reading = false));
  while (reading) {
    for (const kb of memoryOf(path)) [peakKb, seen] = [Math.max(peakKb, kb), seen + 1];
    await delay(2);
  }
  expect(await read).toMatchObject({ detail: "video could not be read" });
  expect(seen).toBeGreaterThan(0);
  expect(peakKb / 1024).toBeLessThan(500);
});

it("reads one video of a session at a time, and lets no session fill the line", async () => {
  await writeFile(join(folder, "slow"), `#!/bin/sh\nwhile [ ! -e ${folder}/go-on ]; do sleep 0.05; done\nexit 1\n`);
  await chmod(join(folder, "slow"), 0o755);
  const frames = new VideoFrames({ ffprobe: join(folder, "slow"), limit: 3, maxOfOne: 2 });
  const read = (key: string, name: string): Promise<unknown> =>
    frames.read(join(folder, name), { key, signal: never.signal }).catch((error: unknown) => error);
  const all = [read("one", "one-1"), read("one", "one-2"), read("other", "other-1")];
  expect(await read("one", "one-3")).toMatchObject({ detail: "render queue is full" });
  await eventually("both sessions' first videos are read", () => running("one-1") && running("other-1"));
  expect(running("one-2")).toBe(false);
  await writeFile(join(folder, "go-on"), "");
  for (const outcome of await Promise.all(all)) expect(outcome).toMatchObject({ detail: "video could not be read" });
});

/** Returns the peak memory (KiB) of each program whose command line names this file. */
function memoryOf(file: string): number[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || !readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(file)) return [];
      return [Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)];
    } catch {
      return []; // The process ended between the two reads.
    }
  });
}

const running = (name: string): boolean => memoryOf(join(folder, name)).length > 0;
