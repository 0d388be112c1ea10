import type { User } from "../whatsapp-backend.js";
import { memberPerson } from "./person.js";

export interface GroupMember {
  readonly user: User;
  readonly admin?: "admin" | "superadmin";
}

/** Who may see a picture: everybody, nobody since there is none (404), or not this account (401). */
export type Picture = "shown" | "none" | "denied";

export interface GroupOptions {
  /** "...@g.us". */
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  /** Unix seconds; `undefined`: the platform does not say. */
  readonly created: number | undefined;
  readonly owner: User;
  readonly addressing: "pn" | "lid";
  /** Numbers of its members are not shown. */
  readonly hidden: boolean;
  /** Only administrators write. */
  readonly announce: boolean;
  readonly picture: Picture;
  /** Accounts and contacts in it besides the owner. */
  readonly people: readonly User[];
  /** Further members out of the population, from this one on. */
  readonly extraFrom: number;
  readonly extraMembers: number;
}

export class Group {
  private readonly joined: ReadonlySet<string>;

  constructor(readonly options: GroupOptions) {
    this.joined = new Set([options.owner, ...options.people].map(({ phone }) => phone));
  }

  get id(): string {
    return this.options.id;
  }

  get size(): number {
    return this.joined.size + this.options.extraMembers;
  }

  has({ phone }: Pick<User, "phone">): boolean {
    return this.joined.has(phone);
  }

  /** Its owner and those named; nobody else in it has an account whose devices could be linked. */
  accounts(): Iterable<User> {
    const { owner, people } = this.options;
    return new Map([owner, ...people].map((user) => [user.phone, user])).values();
  }

  /** Its owner first; computed anew each time. */
  *members(): Generator<GroupMember> {
    const { owner, people, extraFrom, extraMembers } = this.options;
    yield { user: owner, admin: "superadmin" };
    for (const [n, user] of people.entries()) if (user.phone !== owner.phone) yield { user, ...(n === 1 && { admin: "admin" as const }) };
    for (let n = 0; n < extraMembers; n++) yield { user: memberPerson(extraFrom + n) };
  }
}
