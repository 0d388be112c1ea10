import { commandStreamMax } from "../../shared/limits.js";

interface Batch {
  readonly ids: string[];
  /** Settles with the write that removes the entries. */
  readonly gone: Promise<unknown>;
  readonly resolve: (removal: Promise<unknown>) => void;
  readonly timer: NodeJS.Timeout;
}

/** Longest time that a done entry stays in the stream. Its command keeps its place for as long. */
const lingerMs = 50;
/** A batch of this size is removed at once. It is a small part of the 2,000 entries that a stream may hold. */
const most = 64;

/**
 * Removes done entries from a command stream in batches: single removals cost a tenth of a command. Failed removals join the next batch, so
 * that they do not fill the stream. After a crash, the next process finds the entries left behind recorded as done.
 */
export class DoneEntries {
  private open: Batch | undefined;
  /** Done entries whose removal failed, and which may still be in the stream. */
  private left: ReadonlySet<string> = new Set();

  constructor(private readonly remove: (ids: readonly string[]) => Promise<unknown>) {}

  /** Resolves when the entry is removed. Rejects when the removal may have failed. */
  async add(id: string): Promise<void> {
    const batch = (this.open ??= this.begin());
    batch.ids.push(id);
    if (batch.ids.length >= most) this.leave(batch);
    await batch.gone;
  }

  private begin(): Batch {
    let resolve: Batch["resolve"] = () => undefined;
    const gone = new Promise<unknown>((settle) => {
      resolve = settle;
    });
    const batch: Batch = { ids: [], gone, resolve, timer: setTimeout(() => this.leave(batch), lingerMs) };
    return batch;
  }

  private leave({ ids, resolve, timer }: Batch): void {
    clearTimeout(timer);
    this.open = undefined;
    const all = [...new Set([...this.left, ...ids])];
    this.left = new Set();
    resolve(this.remove(all).catch((error: unknown) => this.failed(all, error)));
  }

  private failed(ids: readonly string[], error: unknown): never {
    this.left = new Set([...this.left, ...ids].slice(-commandStreamMax));
    throw error;
  }
}
