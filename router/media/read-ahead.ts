import type { ChunkLoader, ChunkMetrics, MediaFile } from "./chunk-loader.js";
import type { BorrowedChunk } from "./chunk-memory.js";

/** The part of the chunk loader that is used here. */
export type ChunkPort = Pick<ChunkLoader, "borrow" | "fetchAhead">;

export interface ReadAheadOptions {
  readonly loader: ChunkPort;
  readonly file: MediaFile;
  /** Last chunk of the requested range: nothing beyond it is ever asked for. */
  readonly last: number;
  /** The client wants the file from its first byte to its last, and not a place in it. */
  readonly whole: boolean;
  readonly metrics: Pick<ChunkMetrics, "readAhead">;
}

/**
 * Loads the chunks of one stream, and while they come from the platform, has the shard fetch the next ones into the cache meanwhile: up to four of a stream at
 * once. As an operating system does, it begins with nothing and asks for more with every chunk that was really read on to. No bytes of what is fetched
 * ahead come here before their turn, and all of it is given up with the stream's signal.
 */
export class ReadAhead {
  /** Chunks in a row that the platform had to be asked for. */
  private fetchedInRow = 0;
  /** The first chunk that was not asked for yet. */
  private next = 0;
  /** Asked for and not loaded yet. */
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
    // What is needed now is asked for first.
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
    for (; this.next <= end; this.next++) this.ask(this.next, signal);
  }

  private ask(chunk: number, signal: AbortSignal): void {
    if (this.watched !== signal) signal.addEventListener("abort", () => this.tellRest(), { once: true });
    this.watched = signal;
    this.ahead.set(chunk, "coming");
    this.options.loader.fetchAhead(this.options.file, chunk, signal).then(
      () => {
        if (this.ahead.has(chunk)) this.ahead.set(chunk, "there");
      },
      // The stream's own load of this chunk asks again, and tells the client what is wrong.
      () => {
        if (!signal.aborted) this.ahead.delete(chunk);
      },
    );
  }

  /** The stream has ended: what is left was fetched for nothing, or was given up. */
  private tellRest(): void {
    const unused = [...this.ahead.values()].filter((state) => state === "there").length;
    const aborted = this.ahead.size - unused;
    if (unused > 0) this.options.metrics.readAhead("unused", unused);
    if (aborted > 0) this.options.metrics.readAhead("aborted", aborted);
    this.ahead.clear();
  }
}

/**
 * Chunks to ask for beyond the one that is needed, after so many in a row that had to be fetched. The stream itself holds one more than the client has
 * taken: after two, the client has read on to a second chunk.
 */
const rangeSteps = [0, 0, 1, 2, 3] as const;
const wholeSteps = [0, 1, 2, 3] as const;
