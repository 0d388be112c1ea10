import type { ChunkLoader, ChunkMetrics, MediaFile } from "./chunk-loader.js";
import type { BorrowedChunk } from "./chunk-memory.js";

/** The part of the chunk loader that is used here. */
export type ChunkPort = Pick<ChunkLoader, "borrow" | "fetchAhead">;

export interface ReadAheadOptions {
  readonly loader: ChunkPort;
  readonly file: MediaFile;
  /** Last chunk of the requested range. Nothing beyond it is fetched. */
  readonly last: number;
  /** True if the client wants the whole file and not a part of it. */
  readonly whole: boolean;
  readonly metrics: Pick<ChunkMetrics, "readAhead">;
}

/**
 * Loads the chunks of one stream. While they come from the platform, the shard fetches up to four further ones into the cache, more with
 * each chunk that the client reads on. The stream's signal aborts all of it.
 */
export class ReadAhead {
  /** Number of chunks in a row that came from the platform. */
  private fetchedInRow = 0;
  /** The first chunk that was not requested yet. */
  private next = 0;
  /** Chunks that were requested ahead and not loaded yet. */
  private readonly ahead = new Map<number, "coming" | "there">();
  private watched: AbortSignal | undefined;

  constructor(private readonly options: ReadAheadOptions) {}

  async load(chunk: number, signal: AbortSignal): Promise<BorrowedChunk> {
    const { loader, file, metrics } = this.options;
    let fetched = this.ahead.delete(chunk);
    if (fetched) {
      metrics.readAhead("used", 1);
      this.extend(chunk, signal);
    }
    // The chunk that is needed now is requested first.
    const onMiss = (): void => {
      fetched = true;
      this.extend(chunk, signal);
    };
    const borrowed = await loader.borrow(file, chunk, signal, onMiss);
    this.fetchedInRow = fetched ? this.fetchedInRow + 1 : 0;
    return borrowed;
  }

  private extend(chunk: number, signal: AbortSignal): void {
    const steps = this.options.whole ? wholeSteps : rangeSteps;
    const end = Math.min(this.options.last, chunk + (steps[Math.min(this.fetchedInRow, steps.length - 1)] ?? 0));
    this.next = Math.max(this.next, chunk + 1);
    for (; this.next <= end; this.next++) this.requestChunk(this.next, signal);
  }

  private requestChunk(chunk: number, signal: AbortSignal): void {
    if (this.watched !== signal) signal.addEventListener("abort", () => this.countRest(), { once: true });
    this.watched = signal;
    this.ahead.set(chunk, "coming");
    this.options.loader.fetchAhead(this.options.file, chunk, signal).then(
      () => {
        if (this.ahead.has(chunk)) this.ahead.set(chunk, "there");
      },
      // The stream's own load of this chunk retries and reports the error to the client.
      () => {
        if (!signal.aborted) this.ahead.delete(chunk);
      },
    );
  }

  /** Counts the rest at the end of the stream: fetched for nothing, or aborted. */
  private countRest(): void {
    const unused = [...this.ahead.values()].filter((state) => state === "there").length;
    const aborted = this.ahead.size - unused;
    if (unused > 0) this.options.metrics.readAhead("unused", unused);
    if (aborted > 0) this.options.metrics.readAhead("aborted", aborted);
    this.ahead.clear();
  }
}

/**
 * Number of chunks to fetch ahead, by how many in a row came from the platform. The stream holds one chunk more than the client has taken,
 * so two in a row mean that the client reads on.
 */
const rangeSteps = [0, 0, 1, 2, 3] as const;
const wholeSteps = [0, 1, 2, 3] as const;
