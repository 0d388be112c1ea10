/** Bounds one read of the app state: the library requests a collection until the response contains it, without a limit. */
export class ResyncRounds {
  private readonly rounds = new Map<string, { readonly version: number; readonly count: number }>();

  /** Counts a request for this collection. Throws `EndlessAppState` after too many at the same version. */
  count(collection: string, version: number): void {
    const former = this.rounds.get(collection);
    const count = former?.version === version ? former.count + 1 : 1;
    if (count > roundsMax) throw new EndlessAppState(collection);
    this.rounds.set(collection, { version, count });
  }
}

export class EndlessAppState extends Error {
  override readonly name = "EndlessAppState";

  constructor(collection: string) {
    super(`app state has no end: ${collection}`);
  }
}

/** The library itself reads a collection again twice, with a snapshot. */
const roundsMax = 4;
