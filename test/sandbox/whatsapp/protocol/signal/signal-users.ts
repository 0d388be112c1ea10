/** All simulated phones, each created on first use. */
import type { User } from "../../whatsapp-backend.js";
import { SignalUser, type StoredUser } from "./signal-user.js";

export class SignalUsers {
  private readonly users = new Map<string, SignalUser>();
  private readonly shared: SignalUser | undefined;

  /** In load mode all users share one identity. Otherwise each identity takes 1 ms and about 10 KB. */
  constructor(
    load: boolean,
    private readonly changed: () => void,
  ) {
    this.shared = load ? SignalUser.create("0", changed) : undefined;
  }

  of({ lid }: Pick<User, "lid">): SignalUser {
    if (this.shared) return this.shared;
    let user = this.users.get(lid);
    if (!user) this.users.set(lid, (user = SignalUser.create(lid, this.changed)));
    return user;
  }

  *export(): Generator<StoredUser> {
    for (const user of this.users.values()) yield user.toStored();
  }

  import(stored: StoredUser): void {
    this.users.set(stored.lid, SignalUser.fromStored(stored, this.changed));
  }
}
