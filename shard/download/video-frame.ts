import { setMaxListeners } from "node:events";
import { ImageError } from "../image/image-error.js";
import { openScope } from "../../shared/process/abort-scope.js";
import { runBounded, type ProcessOutcome } from "./bounded-process.js";
import { Gate } from "./gate.js";

export interface VideoFramesOptions {
  /** Program names or paths. Default `ffmpeg` and `ffprobe` from the search path. */
  readonly ffmpeg?: string;
  readonly ffprobe?: string;
  /** Videos read at once. Default 2. */
  readonly limit?: number;
  /** Videos that may wait. Default 64. */
  readonly maxWaiting?: number;
  /** The longest that one video may take, waiting included. Default 20 s. */
  readonly timeoutMs?: number;
}

/** The first picture of a video as JPEG, no side over 320 pixels, and what the video says of itself as it is shown (rotation applied). */
export interface VideoFrame {
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
  /** 0 when the file does not say. */
  readonly durationSeconds: number;
}

const thumbnailSide = 320;
const maxJpegBytes = 1024 * 1024;
const maxProbeBytes = 64 * 1024;

// Only files, and only containers that hold their own streams: a playlist format would let the file name others on this disk.
const openInput = [
  ...["-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file"],
  ...["-format_whitelist", "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,ogg,asf"],
  ...["-max_pixels", "50000000", "-threads", "1"],
];

/** Reads first frames with ffmpeg, a process of its own for each, so that a broken video can harm nothing but itself. */
export class VideoFrames {
  private readonly gate: Gate;
  private readonly stopping = new AbortController();

  constructor(private readonly options: VideoFramesOptions) {
    const limit = options.limit ?? 2;
    setMaxListeners(0, this.stopping.signal); // one for each task, and their number has its own bound
    this.gate = new Gate({ limit, perKey: limit, maxWaiting: options.maxWaiting ?? 64 });
  }

  /** Videos waiting and running. */
  get pending(): number {
    return this.gate.size;
  }

  /** Kills what runs and refuses what comes. */
  stop(): void {
    this.stopping.abort(new ImageError("render pool is stopped"));
  }

  /** Reads the file at `path`. Rejects with ImageError, or with the signal's reason when the caller gave up. */
  async read(path: string, signal: AbortSignal): Promise<VideoFrame> {
    const scope = openScope([signal, this.stopping.signal], this.options.timeoutMs ?? 20_000, new ImageError("timeout"));
    try {
      const release = await this.gate.enter("", scope.signal);
      if (release === undefined) throw new ImageError("render queue is full");
      try {
        const shape = parseProbe(await this.probe(path, scope.signal));
        return { ...shape, jpeg: await this.firstFrame(path, scope.signal) };
      } finally {
        release();
      }
    } catch (error) {
      if (scope.signal.aborted) throw scope.signal.reason;
      throw error instanceof ImageError ? error : new ImageError("video could not be read", error);
    } finally {
      scope.close();
    }
  }

  private probe(path: string, signal: AbortSignal): Promise<ProcessOutcome> {
    const wanted = "stream=width,height,duration:stream_tags=rotate:stream_side_data=rotation:format=duration";
    const args = [...openInput, "-select_streams", "V:0", "-show_entries", wanted, "-of", "json", `file:${path}`];
    return runBounded(this.options.ffprobe ?? "ffprobe", args, { maxOutputBytes: maxProbeBytes, signal });
  }

  private async firstFrame(path: string, signal: AbortSignal): Promise<Buffer> {
    const scale = `scale='min(${thumbnailSide},iw)':'min(${thumbnailSide},ih)':force_original_aspect_ratio=decrease`;
    const args = [
      ...[...openInput, "-nostdin", "-i", `file:${path}`, "-map", "0:V:0", "-frames:v", "1", "-vf", scale],
      ...["-pix_fmt", "yuvj420p", "-map_metadata", "-1", "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "4", "pipe:1"],
    ];
    const { code, stdout, stderr } = await runBounded(this.options.ffmpeg ?? "ffmpeg", args, { maxOutputBytes: maxJpegBytes, signal });
    if (code !== 0 || stdout.length === 0) throw new ImageError("video could not be read", stderr);
    return stdout;
  }
}

/** ffprobe's JSON comes from outside: each value is taken only when it is a number that makes sense. */
function parseProbe({ code, stdout, stderr }: ProcessOutcome): Omit<VideoFrame, "jpeg"> {
  if (code !== 0) throw new ImageError("video could not be read", stderr);
  const report: unknown = JSON.parse(stdout.toString());
  const stream = member(member(report, "streams"), 0);
  const width = numberOf(member(stream, "width"));
  const height = numberOf(member(stream, "height"));
  if (width === 0 || height === 0) throw new ImageError("video could not be read", "no video stream");
  const turned = numberOf(member(member(stream, "tags"), "rotate")) || rotationOf(member(stream, "side_data_list"));
  const durationSeconds = numberOf(member(stream, "duration")) || numberOf(member(member(report, "format"), "duration"));
  return turned % 180 === 90 ? { width: height, height: width, durationSeconds } : { width, height, durationSeconds };
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
