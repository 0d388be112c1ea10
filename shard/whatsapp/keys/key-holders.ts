import { LRUCache } from "lru-cache";
import { recentCache } from "../../flow/recent-cache.js";

/** The devices that were given the account's key of a group: `true`, or `false` when they need the key again. Immutable. */
export type Holders = Readonly<Record<string, boolean>>;

/** The holders of a new key. The store recognizes this exact object and stores it instead of the previous key's holders. */
export const noHolders: Holders = Object.freeze({});

/** Returns the same holders, all marked as needing the key again. */
export function allNeedingKey(holders: Holders): Holders {
  const all: Record<string, boolean> = {};
  for (const device in holders) all[device] = false;
  return all;
}

/**
 * Remembers which devices hold the account's key of a group. The library stores all holders with each message, 40 bytes a device. It gets
 * an object that inherits the known holders, so its own properties are the additions.
 */
export class KeyHolders {
  private readonly known = new LRUCache<string, Holders>({
    maxSize: devicesMost,
    sizeCalculation: (holders) => Math.max(1, Object.keys(holders).length),
  });
  /** The objects lent last. The library encrypts an account's messages one at a time. */
  private readonly lent = recentCache<Record<string, boolean>>(lentMost);
  /** The holders that each lent object inherits. */
  private readonly origins = new WeakMap<Holders, Holders>();

  /** Returns the known holders; `undefined` if they must be read from the store. */
  of(group: string): Holders | undefined {
    return this.known.get(group);
  }

  learn(group: string, holders: Holders): void {
    this.known.set(group, holders);
  }

  issue(group: string, holders: Holders): Record<string, boolean> {
    const lent = Object.create(holders) as Record<string, boolean>;
    this.lent.set(group, lent);
    this.origins.set(lent, holders);
    return lent;
  }

  /** True for an object from `issue`. For a status, the library creates its own. */
  isIssued(holders: Holders): boolean {
    return this.origins.has(holders);
  }

  /** Returns the object that was lent last, with the library's changes. */
  issuedFor(group: string): Holders | undefined {
    return this.lent.get(group);
  }

  /** Returns the devices that the library has added to a lent object. */
  addedTo(lent: Holders): string[] {
    return Object.keys(added(lent));
  }

  /** True when a device holds the key that is not among `given`. */
  hasOthers(group: string, given: readonly string[]): boolean {
    return Object.entries(this.known.get(group) ?? noHolders).some(([device, hasKey]) => hasKey && !given.includes(device));
  }

  /**
   * Records a new key that no device has. The lent object marks all devices as lacking it, so the message in progress sends it to all of
   * them.
   */
  renewed(group: string): void {
    this.known.set(group, noHolders);
    const lent = this.lent.get(group);
    for (const device in lent) lent[device] = false;
  }

  /** Returns the holders to store after the library's changes; `undefined` when nothing changed. */
  returned(group: string, lent: Holders): Holders | undefined {
    const known = this.known.get(group);
    if (known === undefined) return withInherited(lent);
    const own = added(lent);
    if (this.origins.get(lent) === known) return Object.keys(own).length === 0 ? undefined : { ...known, ...own };
    // All holders were removed meanwhile. Devices that got the key since then do not need it again.
    return { ...allNeedingKey(known), ...own };
  }

  /** Forgets the holders of a group whose stored value is uncertain. */
  forget(group: string): void {
    this.known.delete(group);
  }

  clear(): void {
    this.known.clear();
    this.lent.clear();
  }
}

/** For all groups of a session, about 2 MB. Evicted groups are read again. */
const devicesMost = 20_000;
const lentMost = 50;

function withInherited(lent: Holders): Holders {
  const all: Record<string, boolean> = {};
  for (const device in lent) if (lent[device] === true || !Object.hasOwn(lent, device)) all[device] = lent[device] === true;
  return all;
}

/** Returns what the library has added to a lent object. An own `false` comes from `renewed`. */
function added(lent: Holders): Holders {
  return Object.fromEntries(Object.entries(lent).filter(([, hasKey]) => hasKey));
}
