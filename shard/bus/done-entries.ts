import { commandStreamMax } from "../../shared/limits.js";

interface Batch {
  readonly ids: string[];
  /** Settles as the write does that takes them off. */
  readonly gone: Promise<unknown>;
  readonly resolve: (removal: Promise<unknown>) => void;
  readonly timer: NodeJS.Timeout;
}

/** How long an entry stands in the stream that is done; its command keeps its place for as long. */
const lingerMs = 50;
/** More go at once. Of the 2,000 that may stand in a stream it is a small part. */
const most = 64;

/**
 * Takes done entries off a command stream, all of some milliseconds with one command. One by one each is a write, an answer and a turn of the event loop for which nobody waits, a tenth of what a
 * command costs a shard that has time. Who dies in between leaves entries that the next life finds on record as done. What Redis did not take off goes with those that come next: a stream in which such
 * entries stayed would one day be full of them.
 */
export class DoneEntries {
  private open: Batch | undefined;
  /** That are done, and may stand in the stream still. */
  private left: ReadonlySet<string> = new Set();

  constructor(private readonly remove: (ids: readonly string[]) => Promise<unknown>) {}

  /** Resolves when it is off the stream, rejects when it is not known to be. */
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
