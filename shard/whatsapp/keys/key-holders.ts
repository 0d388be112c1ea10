import { LRUCache } from "lru-cache";
import { recentCache } from "../../flow/recent-cache.js";

/** The devices that were given the account's key of a group: `true`, or `false` when they need it once more. Never changed. */
export type Holders = Readonly<Record<string, boolean>>;

/** A new key, which nobody was given: stored in the place of the holders of the former one. */
export const nobody: Holders = Object.freeze({});

/** They need the key once more, and still are who was given it. */
export function needy(holders: Holders): Holders {
  const all: Record<string, boolean> = {};
  for (const device in holders) all[device] = false;
  return all;
}

/**
 * Who has the account's key of a group, in memory. The library reads it for each text, adds to what it was given, and stores all of it, 40 bytes a device, whether or not it has added anything. So it is
 * lent an object that inherits from what is known: what it has added stands in it by itself.
 */
export class KeyHolders {
  private readonly known = new LRUCache<string, Holders>({
    maxSize: devicesMost,
    sizeCalculation: (holders) => Math.max(1, Object.keys(holders).length),
  });
  /** What was lent last: the library encrypts an account's messages one after the other. */
  private readonly lent = recentCache<Record<string, boolean>>(lentMost);
  /** What each lent object was made of. */
  private readonly origins = new WeakMap<Holders, Holders>();

  /** `undefined`: has to be read. */
  of(group: string): Holders | undefined {
    return this.known.get(group);
  }

  learn(group: string, holders: Holders): void {
    this.known.set(group, holders);
  }

  lend(group: string, holders: Holders): Record<string, boolean> {
    const lent = Object.create(holders) as Record<string, boolean>;
    this.lent.set(group, lent);
    this.origins.set(lent, holders);
    return lent;
  }

  /** The library itself makes others, of a status. */
  isLent(holders: Holders): boolean {
    return this.origins.has(holders);
  }

  /** As the library left it. */
  lentOf(group: string): Holders | undefined {
    return this.lent.get(group);
  }

  /** Returns the devices that the library has added to what it was lent. */
  addedTo(lent: Holders): string[] {
    return Object.keys(added(lent));
  }

  /** Somebody has the key who was not just about to be given it. */
  hasOthers(group: string, given: readonly string[]): boolean {
    return Object.entries(this.known.get(group) ?? nobody).some(([device, hasKey]) => hasKey && !given.includes(device));
  }

  /** The key is a new one: the message that was lent the holders of the former key gives it to everybody, so the lent object says of all that they lack it. */
  renewed(group: string): void {
    this.known.set(group, nobody);
    const lent = this.lent.get(group);
    for (const device in lent) lent[device] = false;
  }

  /** What is to be stored in the place of what was lent; `undefined` when that is stored already. */
  returned(group: string, lent: Holders): Holders | undefined {
    const known = this.known.get(group);
    if (known === undefined) return withInherited(lent);
    const own = added(lent);
    if (this.origins.get(lent) === known) return Object.keys(own).length === 0 ? undefined : { ...known, ...own };
    // All were taken off meanwhile: who got the key since needs it no more.
    return { ...needy(known), ...own };
  }

  /** Nobody knows what is stored. */
  forget(group: string): void {
    this.known.delete(group);
  }

  clear(): void {
    this.known.clear();
    this.lent.clear();
  }
}

/** Of all groups of a session, some 2 MB. What falls out is read again. */
const devicesMost = 20_000;
const lentMost = 50;

function withInherited(lent: Holders): Holders {
  const all: Record<string, boolean> = {};
  for (const device in lent) if (lent[device] === true || !Object.hasOwn(lent, device)) all[device] = lent[device] === true;
  return all;
}

/** What the library has added to a lent object. Its own `false` comes from `renewed`. */
function added(lent: Holders): Holders {
  return Object.fromEntries(Object.entries(lent).filter(([, hasKey]) => hasKey));
}
