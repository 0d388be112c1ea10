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
  /** Folder of ours for the font list and fontconfig's cache; may be shared by the shards of a host and may survive restarts. */
  readonly cacheFolder: string;
  /** Threads that render at once. Default: one less than the cores, at least one. */
  readonly threads?: number;
  /**
   * The longest that a task may run before the render process is ended and started anew. Default 15 s; one that keeps a processor busy has 2 to 3 s, by its
   * size.
   */
  readonly taskMs?: number;
  /** The longest that a task may wait for its turn. Default 20 s. */
  readonly waitMs?: number;
  /** Tasks that may wait, and so many QR codes. Default 256: those of a few hundred accounts that log in at once. */
  readonly maxWaiting?: number;
  /** How many of a tenant's are at work at once, over all shards. */
  readonly quota?: QuotaPort;
  /** To whom a session belongs: tenants take turns, and so do the sessions of each. Absent: all belong to one. */
  readonly tenantOf?: (key: string) => string;
  /** The compiled render process. Default: next to this file. */
  readonly entry?: URL;
  /** Called after each task with its outcome (`ok` or the fault), for metrics. */
  readonly onTask?: (task: RenderTaskName | "qr-png", outcome: string, seconds: number) => void;
  /** Called when the render process has ended by itself, for metrics. */
  readonly onRestart?: () => void;
}

/** Whose picture it is (`key`: the session's id), and when nobody wants it any more. */
interface Ask {
  readonly key?: string;
  readonly signal?: AbortSignal;
}

const any = Number.POSITIVE_INFINITY;
// Encoded pictures on their way; the render process holds them a second time.
const maxPendingBytes = 128 * 1024 * 1024;
const readyMs = 20_000;
const firstBackoffMs = 200;
const maxBackoffMs = 10_000;

/**
 * The shard's side of the render pool: draws and scales pictures in a process of its own, which it starts anew when it dies.
 * Every method rejects with ImageError (its `detail` is public), or with the signal's reason when the caller gave up.
 */
export class ImagePool {
  private readonly threads: number;
  private readonly entry: URL;
  private readonly places: KeyedSemaphore;
  /** Draws QR codes, which do not wait for pictures. */
  private readonly codePlaces: KeyedSemaphore;
  private readonly codes: CodeThread;
  private readonly stopping = new AbortController();
  private child = deferred<RenderChild>();
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

  /** Tasks waiting and running. */
  get pending(): number {
    return this.places.sizeOf([]) + this.codePlaces.sizeOf([]);
  }

  /** Resolves when the first render process takes tasks; rejects, with everything ended, when it does not come up in 20 s. */
  async start(): Promise<void> {
    await access(this.entry);
    this.drawable = await Drawable.load();
    const fontConfig = await writeFontConfig(this.options.cacheFolder);
    this.keeper = this.keepChild(fontConfig);
    const scope = new AbortScope([this.stopping.signal], readyMs, new ImageError("timeout"));
    try {
      await untilAborted(this.child.promise, scope);
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      scope.close();
    }
  }

  /** Ends the render process; tasks still there reject with `render pool is stopped`. */
  async stop(): Promise<void> {
    this.stopping.abort(new ImageError("render pool is stopped"));
    await Promise.all([this.keeper, this.codes.stop()]);
  }

  /** PNG of a QR code for `text`, at least 300 pixels wide. No quota and no picture holds it up, those of its tenant included. */
  qrPng(text: string, ask?: Ask): Promise<Buffer> {
    return this.measured("qr-png", () => this.drawCode(text, ask));
  }

  /** The characters of a text story that no font of ours has a shape for, each once; does no I/O. */
  undrawable(text: string): readonly string[] {
    if (this.drawable === undefined) throw new ImageError("render pool is stopped", "not started");
    return this.drawable.missing(text);
  }

  /** JPEG of a text story, 1080 x 1920. */
  async textCard(text: string, ask?: Ask): Promise<Buffer> {
    return toBuffer(await this.run({ name: "text-card", input: { text } }, ask));
  }

  /** JPEG of a JPEG, PNG or WebP (its bytes, or the path of its file), no side over 1080 pixels, never enlarged; as it was where it is good and would only grow. */
  scaleImage(source: Uint8Array | string, ask?: Ask): Promise<ScaledImage & { bytes: Buffer }> {
    return this.scale({ source, maxSide: storyImageMaxPixels, quality: 90, keepsSmaller: true }, ask);
  }

  /** JPEG thumbnail of a JPEG, PNG or WebP, no side over `maxSide` pixels. */
  thumbnail(source: Uint8Array | string, maxSide = 320, ask?: Ask): Promise<ScaledImage & { bytes: Buffer }> {
    return this.scale({ source, maxSide, quality: 80 }, ask);
  }

  private async scale(input: ScaleInput, ask?: Ask): Promise<ScaledImage & { bytes: Buffer }> {
    const output = await this.run({ name: "scale-image", input }, ask);
    if (output instanceof Uint8Array) throw new ImageError("worker exited", "answer of another task");
    return { ...output, bytes: toBuffer(output.bytes) };
  }

  private run(task: RenderTask, ask?: Ask): Promise<RenderOutput<RenderTaskName>> {
    return this.measured(task.name, () => this.queue(task, ask));
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

  private async drawCode(text: string, { key = "", signal }: Ask = {}): Promise<Buffer> {
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

  private async queue(task: RenderTask, { key = "", signal }: Ask = {}): Promise<RenderOutput<RenderTaskName>> {
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

  /** Runs a task, and once more when another one's deadline ended the process. Who reaches a deadline gives way to the other tenants afterwards. */
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

  /** Ends on `stop()`: keeps one render process alive, with a growing pause between lives that were short. */
  private async keepChild(fontConfig: string): Promise<void> {
    const { log, onRestart } = this.options;
    const { signal } = this.stopping;
    let backoffMs = firstBackoffMs;
    while (!signal.aborted) {
      const startedAt = performance.now();
      let serves = false;
      // Whoever waits for a life that failed before it was ready goes on waiting for the next one.
      const onEnding = (): void => void (serves && (this.child = deferred()));
      const child = new RenderChild({ entry: this.entry, fontConfig, threads: this.threads, onEnding });
      const kill = (): void => child.kill();
      signal.addEventListener("abort", kill, { once: true });
      child.ready.then(
        () => {
          if (child.isEnding) return;
          serves = true;
          this.child.resolve(child);
        },
        () => undefined, // it ended before it was ready: `exited` below has the story
      );
      const exit = await child.exited;
      signal.removeEventListener("abort", kill);
      if (signal.aborted) return;
      onRestart?.();
      log.warn({ ...exit, backoffMs }, "render process exited");
      // A task that took too long is no reason to let the others wait: the task's own deadline spaces the restarts.
      if (child.endedLate || performance.now() - startedAt > maxBackoffMs) backoffMs = firstBackoffMs;
      await pause(backoffMs, signal);
      backoffMs = Math.min(2 * backoffMs, maxBackoffMs);
    }
  }
}

/** What a task's input holds of the memory of two processes. */
function bytesOf(task: RenderTask): number {
  if (task.name === "text-card") return task.input.text.length;
  return typeof task.input.source === "string" ? 0 : task.input.source.byteLength;
}

/** Processor time for a task: 2 s, and up to one more for a large file. A photo of 50 megapixels takes 0.6 s. */
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
