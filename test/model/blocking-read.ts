import { isCutFromRedis, type Machine, type Wait, type Wake } from "./machine.js";
import type { RedisLink } from "./redis-link.js";
import type { Entry, Stream } from "./store.js";

export type Read = readonly (readonly [id: number, entry: Entry])[];

const blockMs = 2_000;

/** Models the blocking reads of streams. Each read has its own connection, and a cut fails the read with an error. */
export class BlockingReads {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly open = new Set<{ readonly machine: Machine; readonly fail: () => void }>();

  constructor(private readonly link: RedisLink) {}

  /** Models XRANGE after the id `after`, or XREAD BLOCK. Resolves with nothing after 2 s. */
  read(machine: Machine, stream: string, after: number, isBlocking: boolean): Wait {
    return (wake) => this.begin(machine, { stream, after, isBlocking, wake });
  }

  /** Wakes the readers of a stream that has a new entry. */
  added(stream: string): void {
    const waiting = this.waiting.get(stream);
    if (waiting === undefined) return;
    this.waiting.delete(stream);
    for (const look of waiting) this.link.world.after(this.link.world.random.between(0.2, 1), look);
  }

  /** Fails every read whose connection was cut. */
  cut(isCut: (machine: Machine) => boolean): void {
    for (const read of [...this.open]) if (isCut(read.machine)) read.fail();
  }

  private begin(
    machine: Machine,
    {
      stream,
      after,
      isBlocking,
      wake,
    }: { readonly stream: string; readonly after: number; readonly isBlocking: boolean; readonly wake: Wake },
  ): void {
    const { world, trouble, store } = this.link;
    let isOver = false;
    const end = (run: () => void): void => {
      if (isOver) return;
      isOver = true;
      this.open.delete(read);
      this.waiting.get(stream)?.delete(look);
      machine.deliver(run);
    };
    const read = { machine, fail: () => end(() => wake.fail(new Error("Connection is closed."))) };
    const look = (): void => {
      if (isOver) return;
      if (trouble.isDown || isCutFromRedis(machine.place)) return read.fail();
      const found = standing(store.streams.get(stream), after);
      if (found.length > 0 || !isBlocking) return end(() => wake.ok(found));
      const waiting = this.waiting.get(stream) ?? new Set();
      this.waiting.set(stream, waiting.add(look));
    };
    this.open.add(read);
    world.after(world.random.between(0.2, 1), look);
    if (isBlocking) world.after(blockMs, () => (trouble.isDown ? read.fail() : end(() => wake.ok([]))));
  }
}

function standing(stream: Stream | undefined, after: number): Read {
  if (stream === undefined || stream.last <= after || stream.entries.size === 0) return [];
  return [...stream.entries].filter(([id]) => id > after).sort(([one], [other]) => one - other);
}
