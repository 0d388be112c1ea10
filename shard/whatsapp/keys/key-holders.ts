import { RecentCache, recentCache } from "../../flow/recent-cache.js";

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
  private readonly cache = new RecentCache<Holders>({
    maxSize: devicesMost,
    sizeCalculation: (holders) => Math.max(1, Object.keys(holders).length),
  });
  /** The objects issued last. The library encrypts an account's messages one at a time. */
  private readonly issued = recentCache<Record<string, boolean>>(issuedMost);
  /** The holders that each issued object inherits. */
  private readonly origins = new WeakMap<Holders, Holders>();

  /** Returns the known holders; `undefined` if they must be read from the store. */
  of(group: string): Holders | undefined {
    return this.cache.get(group);
  }

  learn(group: string, holders: Holders): void {
    this.cache.set(group, holders);
  }

  issue(group: string, holders: Holders): Record<string, boolean> {
    const issued = Object.create(holders) as Record<string, boolean>;
    this.issued.set(group, issued);
    this.origins.set(issued, holders);
    return issued;
  }

  /** True for an object from `issue`. For a status, the library creates its own. */
  isIssued(holders: Holders): boolean {
    return this.origins.has(holders);
  }

  /** Returns the object that was issued last, with the library's changes. */
  issuedFor(group: string): Holders | undefined {
    return this.issued.get(group);
  }

  /** Returns the devices that the library has added to an issued object. */
  addedTo(issued: Holders): string[] {
    return Object.keys(added(issued));
  }

  /** True when a device holds the key that is not among `given`. */
  hasOthers(group: string, given: readonly string[]): boolean {
    return Object.entries(this.cache.get(group) ?? noHolders).some(([device, hasKey]) => hasKey && !given.includes(device));
  }

  /**
   * Records a new key that no device has. The issued object marks all devices as lacking it, so the message in progress sends it to all of
   * them.
   */
  renewed(group: string): void {
    this.cache.set(group, noHolders);
    const issued = this.issued.get(group);
    for (const device in issued) issued[device] = false;
  }

  /** Returns the holders to store after the library's changes; `undefined` when nothing changed. */
  returned(group: string, issued: Holders): Holders | undefined {
    const current = this.cache.get(group);
    if (current === undefined) return withInherited(issued);
    const own = added(issued);
    if (this.origins.get(issued) === current) return Object.keys(own).length === 0 ? undefined : { ...current, ...own };
    // All holders were removed meanwhile. Devices that got the key since then do not need it again.
    return { ...allNeedingKey(current), ...own };
  }

  /** Forgets the holders of a group whose stored value is uncertain. */
  forget(group: string): void {
    this.cache.delete(group);
  }

  clear(): void {
    this.cache.clear();
    this.issued.clear();
  }
}

/** For all groups of a session, about 2 MB. Evicted groups are read again. */
const devicesMost = 20_000;
const issuedMost = 50;

function withInherited(issued: Holders): Holders {
  const all: Record<string, boolean> = {};
  for (const device in issued) if (issued[device] === true || !Object.hasOwn(issued, device)) all[device] = issued[device] === true;
  return all;
}

/** Returns what the library has added to an issued object. An own `false` comes from `renewed`. */
function added(issued: Holders): Holders {
  return Object.fromEntries(Object.entries(issued).filter(([, hasKey]) => hasKey));
}
