import { LRUCache } from "lru-cache";

/** The devices that have the account's key of a group. Never changed. */
export type Holders = Readonly<Record<string, boolean>>;

/**
 * Who has the account's key of a group, in memory. The library reads it for each text, adds to what it was given, and stores all of it, 40 bytes a device, whether or not it has added anything. So it is
 * lent an object that inherits from what is known: what it has added stands in it by itself.
 */
export class KeyHolders {
  private readonly known = new LRUCache<string, Holders>({
    maxSize: devicesMost,
    sizeCalculation: (holders) => Math.max(1, Object.keys(holders).length),
  });

  /** `undefined`: has to be read. */
  of(group: string): Holders | undefined {
    return this.known.get(group);
  }

  learn(group: string, holders: Holders): void {
    this.known.set(group, holders);
  }

  lend(holders: Holders): Record<string, boolean> {
    return Object.create(holders) as Record<string, boolean>;
  }

  /** What is to be stored in the place of what was lent; `undefined` when that is stored already. */
  returned(group: string, lent: Holders): Holders | undefined {
    const known = this.known.get(group);
    const own = { ...lent };
    const from: unknown = Object.getPrototypeOf(lent);
    if (known === undefined) return withInherited(lent);
    if (from === known) return Object.keys(own).length === 0 ? undefined : { ...known, ...own };
    // All were taken off meanwhile: only who got the key since has it.
    return own;
  }

  /** Nobody knows what is stored. */
  forget(group: string): void {
    this.known.delete(group);
  }

  clear(): void {
    this.known.clear();
  }
}

/** Of all groups of a session, some 2 MB. What falls out is read again. */
const devicesMost = 20_000;

function withInherited(lent: Holders): Holders {
  const all: Record<string, boolean> = {};
  for (const device in lent) all[device] = lent[device] === true;
  return all;
}
