import { endsWithin } from "../flow/ends-within.js";
import type { Log } from "../log/logger.js";

/** A part of a process, which runs from its start to its stop. */
export interface Part {
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
}

export interface PartOptions {
  /** Most milliseconds for the stop; after that the next part's stop begins anyway. */
  readonly stopMs?: number;
}

/** A part under the name that logs and the supervisor show. */
export type NamedPart = readonly [name: string, part: Part, options?: PartOptions];

/** Parts that were built together, in the order in which they start. */
export interface Opened {
  readonly lifecycle: readonly NamedPart[];
}

const stopMsDefault = 5_000;

/** Ordered start and stop. A failed start stops what had started and rejects with the first error. */
export class Lifecycle {
  private readonly parts: NamedPart[] = [];
  private started: NamedPart[] = [];
  private stopping: Promise<void> | undefined;

  /** `onStarting` receives the name of each part before its start. */
  constructor(
    private readonly log: Log,
    private readonly onStarting: (part: string) => void = () => undefined,
  ) {}

  /** Parts start in the order in which they are added, and stop in reverse. */
  add(...parts: readonly NamedPart[]): void {
    this.parts.push(...parts);
  }

  async start(): Promise<void> {
    for (const named of this.parts) {
      const [name, part] = named;
      try {
        // A signal may come while a part is starting: no further part starts after that.
        if (this.stopping !== undefined) throw new Error("stopped");
        // Registered before its start ends: a part that failed half-way may hold something to release.
        this.started.push(named);
        this.onStarting(name);
        await part.start?.();
      } catch (error) {
        await this.stop();
        throw new Error(`${name} did not start: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }
  }

  /** Idempotent; never rejects. Errors are logged and do not keep later parts from stopping. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async stopAll(): Promise<void> {
    for (const [name, part, { stopMs = stopMsDefault } = {}] of this.started.reverse()) {
      try {
        const stopped = Promise.resolve(part.stop?.());
        if (await endsWithin(stopped, stopMs)) await stopped;
        else this.log.warn({ part: name }, "part stop timed out");
      } catch (error) {
        this.log.error({ part: name, err: error }, "part stop failed");
      }
    }
    this.started = [];
  }
}
