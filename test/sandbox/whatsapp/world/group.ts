import { createHash } from "node:crypto";
import type { Addressing, User } from "../whatsapp-backend.js";
import { memberPerson, personOf } from "./person.js";

export type AdminKind = "admin" | "superadmin";

export interface GroupMember {
  readonly user: User;
  readonly admin?: AdminKind;
}

/** Whether a picture is shown to all accounts, does not exist (404), or is hidden from this account (401). */
export type Picture = "shown" | "none" | "denied";

export interface GroupOptions {
  /** "...@g.us". */
  readonly id: string;
  readonly subject: string;
  readonly description: string;
  /** Unix seconds; `undefined` if the platform does not report it. */
  readonly created: number | undefined;
  readonly owner: User;
  readonly addressing: Addressing;
  /** Hides the members' numbers. */
  readonly hidden: boolean;
  readonly announce: boolean;
  readonly picture: Picture;
  /** Accounts and contacts in the group besides the owner. The second is an administrator. */
  readonly people: readonly User[];
  /** Index of the first further member from the population. */
  readonly extraFrom: number;
  readonly extraMembers: number;
  /** Set for a group that an account created, which no seed contains. */
  readonly made?: true;
}

export interface Description {
  readonly id: string;
  readonly text: string;
  /** Unix seconds. */
  readonly at: number;
  readonly by: User;
}

/** State that differs from the options. It survives a restart. */
export interface GroupChanges {
  readonly subject: string;
  readonly description: { readonly id: string; readonly text: string; readonly at: number; readonly by: string };
  readonly announce: boolean;
  readonly locked: boolean;
  /** By phone number. */
  readonly members: readonly { readonly phone: string; readonly admin?: AdminKind }[];
  readonly left: readonly string[];
  readonly invites: number;
  readonly approval?: boolean;
  readonly memberAdd?: boolean;
  readonly expiration?: number;
  /** Pending join requests: phone number and Unix seconds. */
  readonly requests?: readonly (readonly [string, number])[];
}

export class Group {
  subject: string;
  description: Description;
  announce: boolean;
  /** Only administrators may change the subject and the description. */
  locked = false;
  /** Administrators must approve people who join by a link. */
  approval = false;
  /** All members may add people, not only administrators. */
  memberAdd = false;
  /** Seconds after which messages disappear; 0: never. */
  expiration = 0;
  /** Pending join requests: Unix seconds by phone number. */
  private requests = new Map<string, number>();
  private people: Map<string, GroupMember>;
  /** Phone numbers of former members. */
  private readonly left = new Set<string>();
  /** Number of links so far. Only the last one is valid. */
  private invites = 1;
  private altered = false;

  constructor(readonly options: GroupOptions) {
    const { owner, people, created, description } = options;
    this.subject = options.subject;
    this.description = { id: "D1", text: description, at: created ?? 0, by: owner };
    this.announce = options.announce;
    const others = people.map((user, n) => ({ user, ...(n === 1 && { admin: "admin" as const }) }));
    this.people = byPhone([...others, { user: owner, admin: "superadmin" }]);
  }

  get id(): string {
    return this.options.id;
  }

  get size(): number {
    return this.altered ? [...this.members()].length : this.people.size + this.options.extraMembers;
  }

  /** `undefined` if the group was never changed. */
  get changes(): GroupChanges | undefined {
    if (!this.altered) return undefined;
    const { subject, announce, locked, left, invites, approval, memberAdd, expiration, requests } = this;
    const { by, ...description } = this.description;
    const members = [...this.people.values()].map(({ user, admin }) => ({ phone: user.phone, ...(admin && { admin }) }));
    const asked = { approval, memberAdd, expiration, requests: [...requests] };
    return { subject, announce, locked, invites, ...asked, members, left: [...left], description: { ...description, by: by.phone } };
  }

  restore({
    subject,
    announce,
    locked,
    invites,
    members,
    left,
    description,
    approval = false,
    memberAdd = false,
    expiration = 0,
    requests = [],
  }: GroupChanges): void {
    Object.assign(this, { subject, announce, locked, invites, approval, memberAdd, expiration });
    this.requests = new Map(requests);
    this.description = { ...description, by: personOf(description.by) };
    this.people = byPhone(members.map(({ phone, admin }) => ({ user: personOf(phone), ...(admin && { admin }) })));
    for (const phone of left) this.left.add(phone);
    this.altered = true;
  }

  /** Returns whether a named member has this number. Other members have no account. */
  has({ phone }: Pick<User, "phone">): boolean {
    return this.people.has(phone);
  }

  /** Includes members without an account. */
  isIn({ phone }: Pick<User, "phone">): boolean {
    return this.people.has(phone) || [...this.crowd()].some((user) => user.phone === phone);
  }

  hasLeft({ phone }: Pick<User, "phone">): boolean {
    return this.left.has(phone);
  }

  adminKind({ phone }: Pick<User, "phone">): AdminKind | undefined {
    return this.people.get(phone)?.admin;
  }

  /** Returns the named members and the owner. Other members have no account and no devices. */
  accounts(): Iterable<User> {
    return [...this.people.values()].map(({ user }) => user);
  }

  /** Yields the owner first. Computed on each call. */
  *members(): Generator<GroupMember> {
    const named = [...this.people.values()];
    yield* named.filter(({ admin }) => admin === "superadmin");
    yield* named.filter(({ admin }) => admin !== "superadmin");
    for (const user of this.crowd()) yield { user };
  }

  add({ phone, lid }: User): void {
    this.altered = true;
    this.left.delete(phone);
    this.requests.delete(phone);
    this.people.set(phone, { user: { phone, lid } });
  }

  /** Adds a join request. */
  ask({ phone }: Pick<User, "phone">, at: number): void {
    this.altered = true;
    if (!this.requests.has(phone)) this.requests.set(phone, at);
  }

  asking(): Iterable<readonly [string, number]> {
    return this.requests;
  }

  /** Returns false if no such request exists. */
  refuse({ phone }: Pick<User, "phone">): boolean {
    this.altered = true;
    return this.requests.delete(phone);
  }

  /** Removes a member. If no administrator is left, the earliest member becomes one. */
  remove({ phone }: Pick<User, "phone">): void {
    this.altered = true;
    this.people.delete(phone);
    this.left.add(phone);
    const [first, ...others] = this.people.values();
    if (first !== undefined && ![first, ...others].some(({ admin }) => admin !== undefined)) this.appoint(first.user, "admin");
  }

  /** Sets a member's role. A member of the population becomes a named one. */
  appoint({ phone, lid }: User, admin: "admin" | undefined): void {
    this.altered = true;
    this.people.set(phone, { user: { phone, lid }, ...(admin && { admin }) });
  }

  change(changes: Partial<Pick<Group, "subject" | "description" | "announce" | "locked" | "approval" | "memberAdd" | "expiration">>): void {
    this.altered = true;
    Object.assign(this, changes);
  }

  get inviteCode(): string {
    return this.codeOf(this.invites);
  }

  /** Invalidates the current link. */
  revokeInvite(): void {
    this.altered = true;
    this.invites++;
  }

  /** `revoked` means an earlier link of this group. */
  judgeInvite(code: string): "open" | "revoked" | undefined {
    if (code === this.inviteCode) return "open";
    for (let turn = 1; turn < this.invites; turn++) if (code === this.codeOf(turn)) return "revoked";
    return undefined;
  }

  private codeOf(turn: number): string {
    return createHash("sha256").update(`${this.id} ${turn}`).digest("base64url").slice(0, 22);
  }

  /** Yields the members from the population without a named entry. */
  private *crowd(): Generator<User> {
    const { extraFrom, extraMembers } = this.options;
    for (let n = 0; n < extraMembers; n++) {
      const user = memberPerson(extraFrom + n);
      if (!this.left.has(user.phone) && !this.people.has(user.phone)) yield user;
    }
  }
}

function byPhone(members: readonly GroupMember[]): Map<string, GroupMember> {
  return new Map(members.map((member) => [member.user.phone, member]));
}

/** Returns an account's new group. Its subject and all else are set as changes. */
export function newGroup(options: Pick<GroupOptions, "id" | "owner" | "created">): Group {
  const nothing = { subject: "", description: "", people: [], extraFrom: 0, extraMembers: 0 };
  return new Group({ ...options, ...nothing, addressing: "lid", hidden: false, announce: false, picture: "none", made: true });
}
