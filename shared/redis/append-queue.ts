import { pause } from "../flow/pause.js";

export interface AppendQueueOptions<Row> {
  /** Appends rows to what is kept; may be asked again for the same ones. */
  readonly append: (rows: readonly Row[]) => Promise<void>;
  /** Rows that wait at most; past it the newest is lost. */
  readonly waitingMax: number;
  readonly onWritten: (rows: number) => void;
  readonly onLost: (rows: readonly Row[]) => void;
  /** Redis did not take them; they are tried again. */
  readonly onTrouble: (error: unknown, waiting: number) => void;
  /** Until then. */
  readonly againMs?: number;
}

const batchMax = 200;
const againDefaultMs = 1_000;

/** Brings rows to Redis, in their order, without anybody waiting for it: what comes while a batch is under way goes with the next. */
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

  /** What waits is tried once more. */
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
