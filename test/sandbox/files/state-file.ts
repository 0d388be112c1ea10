import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const debounceMs = 200;
/** The writer rests this many times longer than a write took, so that a large state does not keep the process busy. */
const restFactor = 10;
/** Characters between two writes, at each of which other work gets its turn. */
const batchChars = 128 * 1024;

/** A file of JSON lines that follows a state: written anew a moment after each change, whole or not at all. */
export class StateFile {
  private dirty = false;
  private writing: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  /** `capture` yields one value per line; the state may change between two of them. */
  constructor(
    private readonly path: string,
    private readonly capture: () => Iterable<unknown>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** The stored values, unchecked; none when there is no file yet. */
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

  /** Writes what is still unwritten. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.writing;
    if (this.dirty) await this.write();
  }

  /** Ends as soon as everything is written, or on stop. */
  private async follow(): Promise<void> {
    let pauseMs = debounceMs;
    while (this.dirty && !this.stopping.signal.aborted) {
      // Cut short by `stop`, which writes the rest itself.
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
