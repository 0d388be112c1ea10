import { pause } from "../flow/pause.js";

export interface AppendQueueOptions<Row> {
  /** Appends rows to the stored ones. May be called again with the same rows. */
  readonly append: (rows: readonly Row[]) => Promise<void>;
  /** Most queued rows. Beyond it the newest row is dropped. */
  readonly waitingMax: number;
  readonly onWritten: (rows: number) => void;
  readonly onLost: (rows: readonly Row[]) => void;
  /** Called when a write failed and will be retried. */
  readonly onTrouble: (error: unknown, waiting: number) => void;
  /** Delay before the retry. */
  readonly againMs?: number;
}

const batchMax = 200;
const againDefaultMs = 1_000;

/** Writes rows to Redis in order, in the background. Rows that arrive during a batch go with the next one. */
export class AppendQueue<Row> {
  private waiting: Row[] = [];
  private running: Promise<void> | undefined;
  private readonly ended = new AbortController();

  constructor(private readonly options: AppendQueueOptions<Row>) {}

  add(row: Row): void {
    if (this.waiting.length >= this.options.waitingMax || this.ended.signal.aborted) return this.options.onLost([row]);
    this.waiting.push(row);
    this.running ??= this.work();
  }

  /** Tries the queued rows once more. */
  async stop(): Promise<void> {
    this.ended.abort();
    await this.running;
    const left = this.waiting.splice(0);
    if (left.length > 0) this.options.onLost(left);
  }

  /** Never rejects. */
  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.slice(0, batchMax);
      try {
        await this.options.append(batch);
        this.waiting.splice(0, batch.length);
        this.options.onWritten(batch.length);
      } catch (error) {
        if (this.ended.signal.aborted) break;
        this.options.onTrouble(error, this.waiting.length);
        await pause(this.options.againMs ?? againDefaultMs, this.ended.signal);
      }
    }
    this.running = undefined;
  }
}
