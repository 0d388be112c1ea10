const base = 1_000_000_000_000_000;
/** Ids of users, groups and channels all lie below this. */
const owners = 10_000_000_000;

/** Profile photos of users and chats: their ids are computed, and only replacements are remembered. */
export class ProfilePhotos {
  private readonly versions = new Map<number, number>();

  /** Id of the current photo; `undefined` without one. */
  idOf({ id, hasPhoto }: { readonly id: number; readonly hasPhoto: boolean }): number | undefined {
    const version = this.versions.get(id) ?? 0;
    return hasPhoto || version > 0 ? base + version * owners + id : undefined;
  }

  /** Whose photo it is or was; `undefined` for a photo that is no profile's. */
  ownerOf(photoId: number): number | undefined {
    return photoId >= base ? (photoId - base) % owners : undefined;
  }

  /** Every fourth owner's photos lie on another data centre. */
  dcOf(ownerId: number): number {
    return ownerId % 4 === 0 ? 2 : 1;
  }

  /** The owner puts up a new photo. */
  replace(ownerId: number): void {
    this.versions.set(ownerId, (this.versions.get(ownerId) ?? 0) + 1);
  }

  replaced(): Iterable<readonly [ownerId: number, version: number]> {
    return this.versions;
  }

  restore(ownerId: number, version: number): void {
    this.versions.set(ownerId, version);
  }
}
