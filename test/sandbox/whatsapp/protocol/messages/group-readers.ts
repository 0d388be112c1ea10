/** Holders of each sender key: the users who can read a device's group messages. */
import type { User } from "../../whatsapp-backend.js";

/** Group, LID device JID of the author, key id, and users in the order of their last distribution message. */
export interface StoredReaders {
  readonly group: string;
  readonly author: string;
  /** Missing in entries of former versions. */
  readonly key?: number;
  readonly users: readonly User[];
}

interface Author {
  readonly group: string;
  readonly author: string;
  /** By key id, newest last. */
  readonly keys: Map<number, Map<string, User>>;
}

/** The library's readers keep as many keys per author. */
const keysMost = 5;

export class GroupReaders {
  private readonly authors = new Map<string, Author>();

  add(group: string, author: string, key: number, user: User): void {
    const name = `${group} ${author}`;
    let entry = this.authors.get(name);
    if (!entry) this.authors.set(name, (entry = { group, author, keys: new Map() }));
    let users = entry.keys.get(key);
    if (!users) entry.keys.set(key, (users = new Map()));
    users.delete(user.lid);
    users.set(user.lid, user);
    const [oldest] = entry.keys.keys();
    if (oldest !== undefined && entry.keys.size > keysMost) entry.keys.delete(oldest);
  }

  /** Returns the newest holder first. */
  of(group: string, author: string, key: number): User[] {
    return [...(this.authors.get(`${group} ${author}`)?.keys.get(key)?.values() ?? [])].reverse();
  }

  /** Drops the keys of an author that is gone. */
  forget(author: string): void {
    for (const [name, entry] of this.authors) if (entry.author === author) this.authors.delete(name);
  }

  *export(): Generator<StoredReaders> {
    for (const { group, author, keys } of this.authors.values())
      for (const [key, users] of keys) yield { group, author, key, users: [...users.values()] };
  }

  /** Skips entries without a key id: their holders request a retry, and then receive the key again. */
  import({ group, author, key, users }: StoredReaders): void {
    if (key !== undefined) for (const user of users) this.add(group, author, key, user);
  }
}
