/** Last numbers of versions; 0: none. */
export interface KnownRevisions {
  /** What the library was written and tried with. */
  readonly library: number;
  /** The newest that was looked up. */
  readonly found: number;
  /** The newest that the platform has refused. */
  readonly refused: number;
}

/**
 * The library's own version is spoken until the platform refuses it: a newer one may be promised answers that this library does not know. From then on it is the newest
 * that is known, even when the platform has refused that too: not every refusal is about the version.
 */
export function chooseRevision({ library, found, refused }: KnownRevisions): number {
  return library > refused ? library : Math.max(library, found);
}
