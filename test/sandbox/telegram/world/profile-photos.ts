const base = 1_000_000_000_000_000;
/** All ids of users, groups and channels are below this. */
const owners = 10_000_000_000;

/** Profile photos of users and chats. Their ids are computed; only the number of replacements is stored. */
export class ProfilePhotos {
  /** Negative if the last change removed the photo. */
  private readonly versions = new Map<number, number>();

  /** Returns the id of the current photo, or `undefined` without a photo. */
  idOf({ id, hasPhoto }: { readonly id: number; readonly hasPhoto: boolean }): number | undefined {
    const version = this.versions.get(id) ?? 0;
    return (hasPhoto && version === 0) || version > 0 ? base + version * owners + id : undefined;
  }

  /** Returns the current or former owner of a photo, or `undefined` if it is no profile photo. */
  ownerOf(photoId: number): number | undefined {
    return photoId >= base ? (photoId - base) % owners : undefined;
  }

  /** Every fourth owner's photos are on another data centre. */
  dcOf(ownerId: number): number {
    return ownerId % 4 === 0 ? 2 : 1;
  }

  replace(ownerId: number): void {
    this.versions.set(ownerId, Math.abs(this.versions.get(ownerId) ?? 0) + 1);
  }

  remove(ownerId: number): void {
    this.versions.set(ownerId, -Math.abs(this.versions.get(ownerId) ?? 0) - 1);
  }

  replaced(): Iterable<readonly [ownerId: number, version: number]> {
    return this.versions;
  }

  restore(ownerId: number, version: number): void {
    this.versions.set(ownerId, version);
  }
}
