/** Last numbers of client versions; 0 if there is none. */
export interface KnownRevisions {
  /** The version that the library was written and tested with. */
  readonly library: number;
  /** The newest version that a lookup found. */
  readonly found: number;
  /** The newest version that the platform has refused. */
  readonly refused: number;
}

/**
 * Returns the library's own version until the platform refuses it, because the library may not understand a newer one's responses. Then
 * returns the newest known version, even a refused one: a refusal may have another cause.
 */
export function chooseRevision({ library, found, refused }: KnownRevisions): number {
  return library > refused ? library : Math.max(library, found);
}
