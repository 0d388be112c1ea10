import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const debounceMs = 200;
/** After a write, the writer pauses for this multiple of its duration, so that a large state does not block the process. */
const restFactor = 10;
/** Characters per write. Other work runs between two writes. */
const batchChars = 128 * 1024;

/** A file of JSON lines that mirrors a state. It is rewritten atomically a moment after each change. */
export class StateFile {
  private dirty = false;
  private writing: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  /** `capture` yields one value per line. The state may change between two values. */
  constructor(
    private readonly path: string,
    private readonly capture: () => Iterable<unknown>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Returns the stored values unchecked, or none if the file does not exist. */
  async read(): Promise<unknown[]> {
    try {
      const text = await readFile(this.path, "utf8");
      return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  }

  changed(): void {
    this.dirty = true;
    if (!this.stopping.signal.aborted) this.writing ??= this.follow();
  }

  /** Writes all pending changes. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.writing;
    if (this.dirty) await this.write();
  }

  /** Ends when all changes are written, or on stop. */
  private async follow(): Promise<void> {
    let pauseMs = debounceMs;
    while (this.dirty && !this.stopping.signal.aborted) {
      // `stop` aborts the wait and writes the rest itself.
      await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) break;
      const startedAt = performance.now();
      try {
        await this.write();
      } catch (error) {
        this.failed(error);
      }
      pauseMs = Math.max(debounceMs, (performance.now() - startedAt) * restFactor);
    }
    this.writing = undefined;
  }

  private async write(): Promise<void> {
    this.dirty = false;
    await mkdir(dirname(this.path), { recursive: true });
    const draft = `${this.path}.tmp`;
    const file = await open(draft, "w");
    try {
      let batch = "";
      for (const value of this.capture()) {
        batch += `${JSON.stringify(value)}\n`;
        if (batch.length < batchChars) continue;
        await file.appendFile(batch);
        batch = "";
      }
      await file.appendFile(batch);
    } finally {
      await file.close();
    }
    await rename(draft, this.path);
  }
}
