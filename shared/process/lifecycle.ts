import { endsWithin } from "../flow/ends-within.js";
import type { Log } from "../log/logger.js";

/** One part of a process: started in the order of registration, stopped in reverse. */
export interface Part {
  name: string;
  start?: () => Promise<void> | void;
  stop?: () => Promise<void> | void;
  /** How long its stop may take, ms; then the next part's stop begins all the same. */
  stopMs?: number;
}

/** Ordered start and stop. A failed start stops what had started and rejects with the first error. */
export class Lifecycle {
  private readonly parts: Part[] = [];
  private started: Part[] = [];
  private stopping: Promise<void> | undefined;

  /** `onStarting` hears the name of each part before its start. */
  constructor(
    private readonly log: Log,
    private readonly onStarting: (part: string) => void = () => undefined,
  ) {}

  add(part: Part): void {
    this.parts.push(part);
  }

  async start(): Promise<void> {
    for (const part of this.parts) {
      try {
        // A signal may come while a part is starting: nothing further starts behind a stop.
        if (this.stopping !== undefined) throw new Error("stopped");
        // Registered before its start ends: a part that failed half-way may hold something to release.
        this.started.push(part);
        this.onStarting(part.name);
        await part.start?.();
      } catch (error) {
        await this.stop();
        throw new Error(`${part.name} did not start: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }
  }

  /** Idempotent; never rejects. Errors are logged and do not keep later parts from stopping. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    for (const part of this.started.reverse()) {
      try {
        const stopped = Promise.resolve(part.stop?.());
        if (await endsWithin(stopped, part.stopMs ?? 5_000)) await stopped;
        else this.log.warn({ part: part.name }, "part did not stop in time");
      } catch (error) {
        this.log.error({ part: part.name, err: error }, "part failed to stop");
      }
    }
    this.started = [];
  }
}
