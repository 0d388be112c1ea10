import { setMaxListeners } from "node:events";
import { open } from "node:fs/promises";
import { ImageError } from "../media/image-error.js";
import { AbortScope } from "../../../shared/flow/abort-scope.js";
import { runBounded, type ProcessOutcome } from "./bounded-process.js";
import { KeyedSemaphore } from "../../flow/keyed-semaphore.js";
import { turnWithin, type QuotaPort } from "../../tenant/session-quota.js";
import { sniffBytes, sniffType } from "./sniff-type.js";

export interface VideoFramesOptions {
  /** Program names or paths. Default `ffmpeg` and `ffprobe` from the search path. */
  readonly ffmpeg?: string;
  readonly ffprobe?: string;
  /** Videos read at once, one of a session. Default 2. */
  readonly limit?: number;
  /** Limits each tenant's concurrent videos over all shards. */
  readonly quota?: QuotaPort;
  /** Returns the tenant that owns a session: tenants take turns, and so do the sessions of each. Absent: all belong to one tenant. */
  readonly tenantOf?: (key: string) => string;
  /** Videos that may wait. Default 64. */
  readonly maxWaiting?: number;
  /** Waiting videos of one session, the running one included. Default 16. */
  readonly maxOfOne?: number;
  /** Longest wait of a video for its turn. Default 60 s. */
  readonly waitMs?: number;
  /** Longest time to read a video: 0.3 s on free cores, much more at the lowest priority on busy ones. Default 60 s. */
  readonly timeoutMs?: number;
  /** Called after each video with its outcome (`ok`, `aborted` or the fault), for metrics. */
  readonly onRead?: (outcome: string, seconds: number) => void;
}

export interface VideoRequest {
  /** The id of the session that owns the video. */
  readonly key: string;
  readonly signal: AbortSignal;
}

/**
 * The first picture of a video as JPEG, no side over 320 pixels, and the stated size and duration of the video as shown (rotation
 * applied).
 */
export interface VideoFrame {
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
  /** 0 when the file does not state it. */
  readonly durationSeconds: number;
}

const thumbnailSide = 320;
const maxJpegBytes = 1024 * 1024;
const maxProbeBytes = 64 * 1024;

// An 8K video needs 128 MiB and 0.3 s. A file of 650 bytes can state 40 million samples, whose index took 2.2 GB.
const processLimits = { maxMemoryBytes: 384 * 1024 * 1024, maxCpuSeconds: 3 };

// Only files, and only containers that hold their own streams: a playlist format could name other files on this disk.
const openInput = [
  ...["-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file"],
  ...["-format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,ogg,asf"],
  ...["-max_pixels", "50000000", "-threads", "1"],
];

/** Reads first frames with ffmpeg, in a process of its own for each, so that a broken video harms nothing else. */
export class VideoFrames {
  private readonly turns: KeyedSemaphore;
  private readonly stopping = new AbortController();

  constructor(private readonly options: VideoFramesOptions) {
    const limit = options.limit ?? 2;
    setMaxListeners(0, this.stopping.signal); // one for each task, and their number has its own bound
    this.turns = new KeyedSemaphore([limit, Number.POSITIVE_INFINITY, 1], options.maxWaiting ?? 64);
  }

  /** Waiting and running videos. */
  get pending(): number {
    return this.turns.sizeOf([]);
  }

  /** Kills running reads and refuses new ones. */
  stop(): void {
    this.stopping.abort(new ImageError("render pool is stopped"));
  }

  /**
   * Reads the file at `path`. Rejects with ImageError (`unsupported video format` when it does not begin like a video), or with the
   * signal's reason when the caller has gone.
   */
  async read(path: string, request: VideoRequest): Promise<VideoFrame> {
    const startedAt = performance.now();
    let outcome = "aborted";
    try {
      const frame = await this.inTurn(request, (signal) => this.readNow(path, signal));
      outcome = "ok";
      return frame;
    } catch (error) {
      if (error instanceof ImageError) outcome = error.detail;
      throw error;
    } finally {
      this.options.onRead?.(outcome, (performance.now() - startedAt) / 1000);
    }
  }

  /** Reads one session's videos one after the other. They fill only a part of the queue. */
  private async inTurn<T>({ key, signal }: VideoRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { maxOfOne = 16, waitMs = 60_000, timeoutMs = 60_000 } = this.options;
    const path = [this.options.tenantOf?.(key) ?? "", key];
    if (this.turns.sizeOf(path) >= maxOfOne) throw new ImageError("render queue is full");
    const release = await withDeadline([signal, this.stopping.signal], waitMs, (scope) =>
      turnWithin(this.options.quota, key, scope, () => this.turns.enterUnlessFull(path, scope)),
    );
    if (release === undefined) throw new ImageError("render queue is full");
    return await withDeadline([signal, this.stopping.signal], timeoutMs, work).finally(release);
  }

  private async readNow(path: string, signal: AbortSignal): Promise<VideoFrame> {
    try {
      const shape = parseProbe(await this.probe(path, signal));
      return { ...shape, jpeg: await this.firstFrame(path, signal) };
    } catch (error) {
      if (!(await beginsLikeVideo(path))) throw new ImageError("unsupported video format", error);
      throw error;
    }
  }

  private probe(path: string, signal: AbortSignal): Promise<ProcessOutcome> {
    const wanted = "stream=width,height,sample_aspect_ratio,duration:stream_tags=rotate:stream_side_data=rotation:format=duration";
    const args = [...openInput, "-select_streams", "V:0", "-show_entries", wanted, "-of", "json", `file:${path}`];
    return runBounded(this.options.ffprobe ?? "ffprobe", args, { ...processLimits, maxOutputBytes: maxProbeBytes, signal });
  }

  private async firstFrame(path: string, signal: AbortSignal): Promise<Buffer> {
    const factor = `min(1,min(${thumbnailSide}/(iw*sar),${thumbnailSide}/ih))`;
    const scale = `scale='max(1,trunc(iw*sar*${factor}))':'max(1,trunc(ih*${factor}))',setsar=1`;
    const args = [
      ...[...openInput, "-nostdin", "-i", `file:${path}`, "-map", "0:V:0", "-frames:v", "1", "-vf", scale],
      ...["-pix_fmt", "yuvj420p", "-map_metadata", "-1", "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "4", "pipe:1"],
    ];
    const { code, stdout, stderr } = await runBounded(this.options.ffmpeg ?? "ffmpeg", args, {
      ...processLimits,
      maxOutputBytes: maxJpegBytes,
      signal,
    });
    if (code !== 0 || stdout.length === 0) throw new ImageError("video could not be read", stderr);
    return stdout;
  }
}

/** Rejects with ImageError when the work fails or takes too long, and with the source's reason when a source aborts. */
async function withDeadline<T>(sources: readonly AbortSignal[], ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const scope = new AbortScope(sources, ms, new ImageError("timeout"));
  try {
    return await work(scope.signal);
  } catch (error) {
    if (scope.signal.aborted) throw scope.signal.reason;
    throw error instanceof ImageError ? error : new ImageError("video could not be read", error);
  } finally {
    scope.close();
  }
}

async function beginsLikeVideo(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0);
    return sniffType(buffer.subarray(0, bytesRead))?.startsWith("video/") === true;
  } finally {
    await file.close();
  }
}

/** ffprobe's JSON comes from outside: each value is used only if it is a sensible number. */
function parseProbe({ code, stdout, stderr }: ProcessOutcome): Omit<VideoFrame, "jpeg"> {
  if (code !== 0) throw new ImageError("video could not be read", stderr);
  const report: unknown = JSON.parse(stdout.toString());
  const stream = member(member(report, "streams"), 0);
  const width = Math.round(numberOf(member(stream, "width")) * ratioOf(member(stream, "sample_aspect_ratio")));
  const height = numberOf(member(stream, "height"));
  if (width === 0 || height === 0) throw new ImageError("video could not be read", "no video stream");
  const turned = numberOf(member(member(stream, "tags"), "rotate")) || rotationOf(member(stream, "side_data_list"));
  const durationSeconds = numberOf(member(stream, "duration")) || numberOf(member(member(report, "format"), "duration"));
  return turned % 180 === 90 ? { width: height, height: width, durationSeconds } : { width, height, durationSeconds };
}

/** Returns the ratio of a pixel's width to its height, as in `64:45`; 1 if the file does not state it, or states an impossible one. */
function ratioOf(text: unknown): number {
  const [, width, height] = /^(\d{1,9}):(\d{1,9})$/.exec(typeof text === "string" ? text : "") ?? [];
  const ratio = Number(width) / Number(height);
  return ratio >= 0.1 && ratio <= 10 ? ratio : 1;
}

function rotationOf(list: unknown): number {
  return Array.isArray(list) ? list.reduce<number>((found, entry) => found || numberOf(member(entry, "rotation")), 0) : 0;
}

function member(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** Sizes and seconds are never negative; a rotation of -90 is shown like one of 90. */
function numberOf(value: unknown): number {
  const number = Math.abs(typeof value === "string" ? Number.parseFloat(value) : Number(value));
  return Number.isFinite(number) ? number : 0;
}
