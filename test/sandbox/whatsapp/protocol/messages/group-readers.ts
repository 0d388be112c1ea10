/** Who got which sender key: the users who can read what a device writes to a group. */
import type { User } from "../../whatsapp-backend.js";

/** Group and LID device JID of the author, and the users in the order of their last distribution message. */
export interface StoredReaders {
  readonly group: string;
  readonly author: string;
  readonly users: readonly User[];
}

export class GroupReaders {
  private readonly readers = new Map<string, { readonly group: string; readonly author: string; readonly users: Map<string, User> }>();

  add(group: string, author: string, user: User): void {
    const key = `${group} ${author}`;
    let entry = this.readers.get(key);
    if (!entry) this.readers.set(key, (entry = { group, author, users: new Map() }));
    entry.users.delete(user.lid);
    entry.users.set(user.lid, user);
  }

  /** The one who got the key last comes first. */
  of(group: string, author: string): User[] {
    return [...(this.readers.get(`${group} ${author}`)?.users.values() ?? [])].reverse();
  }

  /** The author writes no more. */
  forget(author: string): void {
    for (const [key, entry] of this.readers) if (entry.author === author) this.readers.delete(key);
  }

  *export(): Generator<StoredReaders> {
    for (const { group, author, users } of this.readers.values()) yield { group, author, users: [...users.values()] };
  }

  import({ group, author, users }: StoredReaders): void {
    for (const user of users) this.add(group, author, user);
  }
}
