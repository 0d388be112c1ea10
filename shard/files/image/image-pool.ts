import { setMaxListeners } from "node:events";
import { access, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { storyImageMaxPixels } from "../../../shared/limits.js";
import type { Log } from "../../../shared/log/logger.js";
import { AbortScope, untilAborted } from "../../../shared/flow/abort-scope.js";
import { pause } from "../../../shared/flow/pause.js";
import { KeyedSemaphore } from "../../flow/keyed-semaphore.js";
import { turnWithin, type QuotaPort } from "../../tenant/session-quota.js";
import { CodeThread } from "./code-thread.js";
import { Drawable } from "./drawable.js";
import { writeFontConfig } from "./font-config.js";
import { ImageError } from "../media/image-error.js";
import { RenderChild, type TaskLimits } from "./render-child.js";
import { renderCost, renderCostMax, timeoutCost } from "./render-cost.js";
import type { RenderOutput, RenderTask, RenderTaskName, ScaledImage, ScaleInput } from "./render-task.js";

export interface ImagePoolOptions {
  readonly log: Log;
  /** Our folder for the font list and fontconfig's cache. The shards of a host may share it, and it may survive restarts. */
  readonly cacheFolder: string;
  /** Concurrent render threads. Default: one less than the cores, at least one. */
  readonly threads?: number;
  /**
   * Longest time of a task before the render process is restarted. Default 15 s. A task that keeps a processor busy has 2 to 3 s, by its
   * size.
   */
  readonly taskMs?: number;
  /** Longest wait of a task for its turn. Default 20 s. */
  readonly waitMs?: number;
  /** The render process ends after this time without a task. Default 60 s. */
  readonly idleMs?: number;
  /** Tasks that may wait, and as many QR codes besides. Default 256, for a few hundred accounts that log in at once. */
  readonly maxWaiting?: number;
  /** Limits each tenant's concurrent tasks over all shards. */
  readonly quota?: QuotaPort;
  /** Returns the tenant that owns a session: tenants take turns, and so do the sessions of each. Absent: all belong to one tenant. */
  readonly tenantOf?: (key: string) => string;
  /** The compiled render process. Default: next to this file. */
  readonly entry?: URL;
  /** Called after each task with its outcome (`ok` or the fault), for metrics. */
  readonly onTask?: (task: RenderTaskName | "qr-png", outcome: string, seconds: number) => void;
  /** Called when the render process has ended by itself, for metrics. */
  readonly onRestart?: () => void;
}

/** `key` is the id of the session that owns the picture; `signal` aborts when the caller no longer needs it. */
interface RenderOptions {
  readonly key?: string;
  readonly signal?: AbortSignal;
}

const any = Number.POSITIVE_INFINITY;
// Encoded pictures in flight. The render process holds them a second time.
const maxPendingBytes = 128 * 1024 * 1024;
const firstBackoffMs = 200;
const maxBackoffMs = 10_000;
const idleMsDefault = 60_000;

/**
 * Draws and scales pictures in a separate process, which starts with the first task and ends when it is idle. Every method rejects with
 * ImageError (its `detail` is public), or with the signal's reason when the caller has gone.
 */
export class ImagePool {
  private readonly threads: number;
  private readonly entry: URL;
  private readonly places: KeyedSemaphore;
  /** Turns of QR codes, which do not wait for pictures. */
  private readonly codePlaces: KeyedSemaphore;
  private readonly codes: CodeThread;
  private readonly stopping = new AbortController();
  private child = deferred<RenderChild>();
  /** Resolves when a task needs a render process. */
  private wanted = deferred<undefined>();
  private running: RenderChild | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private drawable: Drawable | undefined;
  private keeper: Promise<void> = Promise.resolve();
  private pendingBytes = 0;

  constructor(private readonly options: ImagePoolOptions) {
    this.threads = options.threads ?? Math.max(1, availableParallelism() - 1);
    this.entry = options.entry ?? new URL("render-process.js", import.meta.url);
    setMaxListeners(0, this.stopping.signal); // one for each task, and their number has its own bound
    this.places = new KeyedSemaphore([this.threads, any, any], options.maxWaiting ?? 256, renderCostMax);
    this.codePlaces = new KeyedSemaphore([1, any, any], options.maxWaiting ?? 256);
    this.codes = new CodeThread(new URL("code-worker.js", this.entry));
  }

  /** Waiting and running tasks. */
  get pending(): number {
    return this.places.sizeOf([]) + this.codePlaces.sizeOf([]);
  }

  /** Rejects when the compiled render process is missing. */
  async start(): Promise<void> {
    await access(this.entry);
    this.drawable = await Drawable.load();
    const fontConfig = await writeFontConfig(this.options.cacheFolder);
    this.keeper = this.keepChild(fontConfig);
  }

  /** Ends the render process. Its tasks reject with `render pool is stopped`. */
  async stop(): Promise<void> {
    clearTimeout(this.idleTimer);
    this.stopping.abort(new ImageError("render pool is stopped"));
    await Promise.all([this.keeper, this.codes.stop()]);
  }

  /**
   * Returns the PNG of a QR code for `text`, at least 300 pixels wide. It waits for no quota and no picture, not even of its own tenant.
   */
  qrPng(text: string, options?: RenderOptions): Promise<Buffer> {
    return this.measured("qr-png", () => this.drawCode(text, options));
  }

  /** Returns the characters of a text story that no font of ours has a shape for, each once. Does no I/O. */
  undrawable(text: string): readonly string[] {
    if (this.drawable === undefined) throw new ImageError("render pool is stopped", "not started");
    return this.drawable.missing(text);
  }

  /** Returns the JPEG of a text story, 1080 x 1920. */
  async textCard(text: string, options?: RenderOptions): Promise<Buffer> {
    return toBuffer(await this.run({ name: "text-card", input: { text } }, options));
  }

  /**
   * Returns the JPEG of a picture (its bytes, or the path of its file), no side over 1080 pixels, never enlarged. Returns the picture
   * itself when it is good and its JPEG would not be smaller.
   */
  scaleImage(source: Uint8Array | string, options?: RenderOptions): Promise<ScaledImage & { bytes: Buffer }> {
    return this.scale({ source, maxSide: storyImageMaxPixels, quality: 90, keepsSmaller: true }, options);
  }

  /** Returns the JPEG thumbnail of a picture, no side over `maxSide` pixels. */
  thumbnail(source: Uint8Array | string, maxSide = 320, options?: RenderOptions): Promise<ScaledImage & { bytes: Buffer }> {
    return this.scale({ source, maxSide, quality: 80 }, options);
  }

  /** Returns a picture as a sticker: WebP, a transparent square of 512 pixels, at most 100 KiB if its content allows. */
  sticker(source: Uint8Array | string, options?: RenderOptions): Promise<ScaledImage & { bytes: Buffer }> {
    return this.scale({ source, maxSide: stickerSide, quality: 80, asSticker: true }, options);
  }

  /** Returns the JPEG of a picture's middle, a square of 640 pixels. */
  square(source: Uint8Array | string, options?: RenderOptions): Promise<ScaledImage & { bytes: Buffer }> {
    return this.scale({ source, maxSide: profileSide, quality: 80, asSquare: true }, options);
  }

  private async scale(input: ScaleInput, options?: RenderOptions): Promise<ScaledImage & { bytes: Buffer }> {
    const output = await this.run({ name: "scale-image", input }, options);
    if (output instanceof Uint8Array) throw new ImageError("worker exited", "answer of another task");
    return { ...output, bytes: toBuffer(output.bytes) };
  }

  private run(task: RenderTask, options?: RenderOptions): Promise<RenderOutput<RenderTaskName>> {
    return this.measured(task.name, () => this.queue(task, options));
  }

  private async measured<T>(name: RenderTaskName | "qr-png", work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    let outcome = "aborted";
    try {
      const output = await work();
      outcome = "ok";
      return output;
    } catch (error) {
      if (error instanceof ImageError) outcome = error.detail;
      throw error;
    } finally {
      this.options.onTask?.(name, outcome, (performance.now() - startedAt) / 1000);
    }
  }

  private async drawCode(text: string, { key = "", signal }: RenderOptions = {}): Promise<Buffer> {
    const sources = signal === undefined ? [this.stopping.signal] : [signal, this.stopping.signal];
    const scope = new AbortScope(sources, this.options.waitMs ?? 20_000, new ImageError("timeout"));
    try {
      const release = await this.codePlaces.enterUnlessFull(this.pathOf(key), scope);
      if (release === undefined) throw new ImageError("render queue is full");
      return await untilAborted(this.codes.draw(text).finally(release), scope);
    } finally {
      scope.close();
    }
  }

  private async queue(task: RenderTask, { key = "", signal }: RenderOptions = {}): Promise<RenderOutput<RenderTaskName>> {
    const sizeBytes = bytesOf(task);
    if (this.pendingBytes + sizeBytes > maxPendingBytes) throw new ImageError("render queue is full");
    this.pendingBytes += sizeBytes;
    const { taskMs = 15_000, waitMs = 20_000 } = this.options;
    const sources = signal === undefined ? [this.stopping.signal] : [signal, this.stopping.signal];
    const waiting = new AbortScope(sources, waitMs, new ImageError("timeout"));
    const running = new AbortScope(sources, waitMs + taskMs, new ImageError("timeout"));
    let release = (): void => undefined;
    const leave = (): void => {
      this.pendingBytes -= sizeBytes;
      release();
      if (this.places.sizeOf([]) === 0) this.beIdle();
    };
    let work: Promise<RenderOutput<RenderTaskName>> | undefined;
    try {
      const path = this.pathOf(key);
      const place = await turnWithin(this.options.quota, key, waiting.signal, () =>
        this.places.enterUnlessFull(path, waiting, renderCost(task)),
      );
      if (place === undefined) throw new ImageError("render queue is full");
      release = place;
      const limits = { workMs: await workMsOf(task), deadlineMs: taskMs };
      this.wanted.resolve(undefined);
      const child = await untilAborted(this.child.promise, waiting);
      // The place stays taken until the thread is free, even when the caller has gone.
      work = this.runOn(child, task, limits, path).finally(leave);
      return await untilAborted(work, running);
    } finally {
      if (work === undefined) leave();
      waiting.close();
      running.close();
    }
  }

  /**
   * Runs a task, and once more when the deadline of another task ended the process. A tenant whose task reaches its deadline is charged
   * for it.
   */
  private async runOn(
    child: RenderChild,
    task: RenderTask,
    limits: TaskLimits,
    path: readonly string[],
  ): Promise<RenderOutput<RenderTaskName>> {
    try {
      return await child.run(task, limits);
    } catch (error) {
      const detail = error instanceof ImageError ? error.detail : undefined;
      if (detail === "timeout") this.places.charge(path, timeoutCost);
      if (detail !== "worker exited" || !child.endedLate) throw error;
    }
    const next = await untilAborted(this.child.promise, this.stopping.signal);
    return await next.run(task, limits);
  }

  private pathOf(key: string): readonly string[] {
    return [this.options.tenantOf?.(key) ?? "", key];
  }

  /** Ends the render process unless a task comes soon. */
  private beIdle(): void {
    clearTimeout(this.idleTimer);
    if (this.stopping.signal.aborted) return;
    const end = (): void => {
      if (this.places.sizeOf([]) > 0) return;
      this.wanted = deferred();
      this.running?.kill();
    };
    this.idleTimer = setTimeout(end, this.options.idleMs ?? idleMsDefault);
  }

  /** While tasks need it, keeps one render process alive until `stop()`, with a growing pause between short lives. */
  private async keepChild(fontConfig: string): Promise<void> {
    const { log, onRestart } = this.options;
    const { signal } = this.stopping;
    let backoffMs = firstBackoffMs;
    for (;;) {
      await untilAborted(this.wanted.promise, signal).catch(() => undefined);
      if (signal.aborted) return;
      const { wanted } = this;
      const startedAt = performance.now();
      let serves = false;
      // Callers that wait for a process which failed before it was ready continue to wait for the next one.
      const onEnding = (): void => void (serves && (this.child = deferred()));
      const child = new RenderChild({ entry: this.entry, fontConfig, threads: this.threads, onEnding });
      this.running = child;
      const kill = (): void => child.kill();
      signal.addEventListener("abort", kill, { once: true });
      child.ready.then(
        () => {
          if (child.isEnding) return;
          serves = true;
          this.child.resolve(child);
        },
        () => undefined, // it ended before it was ready: `exited` below reports it
      );
      const exit = await child.exited;
      signal.removeEventListener("abort", kill);
      this.running = undefined;
      if (signal.aborted) return;
      if (this.wanted !== wanted) continue;
      onRestart?.();
      log.warn({ ...exit, backoffMs }, "render process exited");
      // A task that took too long is no reason to delay the others: the task's own deadline spaces the restarts.
      if (child.endedLate || performance.now() - startedAt > maxBackoffMs) backoffMs = firstBackoffMs;
      await pause(backoffMs, signal);
      backoffMs = Math.min(2 * backoffMs, maxBackoffMs);
    }
  }
}

/** Pixels, as the platforms require. */
const stickerSide = 512;
const profileSide = 640;

/** Returns the bytes of a task's input that both processes hold in memory. */
function bytesOf(task: RenderTask): number {
  if (task.name === "text-card") return task.input.text.length;
  return typeof task.input.source === "string" ? 0 : task.input.source.byteLength;
}

/** Returns the processor time for a task: 2 s, and up to one more for a large file. A photo of 50 megapixels takes 0.6 s. */
async function workMsOf(task: RenderTask): Promise<number> {
  const { source } = task.name === "text-card" ? { source: undefined } : task.input;
  const sizeBytes =
    typeof source === "string"
      ? await stat(source).then(
          ({ size }) => size,
          () => 0,
        )
      : bytesOf(task);
  return 2_000 + 1_000 * Math.min(1, sizeBytes / largeBytes);
}

const largeBytes = 16 * 1024 * 1024;

function toBuffer(output: RenderOutput<RenderTaskName>): Buffer {
  if (!(output instanceof Uint8Array)) throw new ImageError("worker exited", "answer of another task");
  return Buffer.from(output.buffer, output.byteOffset, output.byteLength);
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
