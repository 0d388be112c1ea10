import { createHash } from "node:crypto";
import type { Addressing, User } from "../whatsapp-backend.js";
import { memberPerson, personOf } from "./person.js";

export type AdminKind = "admin" | "superadmin";

export interface GroupMember {
  readonly user: User;
  readonly admin?: AdminKind;
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
  readonly addressing: Addressing;
  /** Numbers of its members are not shown. */
  readonly hidden: boolean;
  /** Only administrators write. */
  readonly announce: boolean;
  readonly picture: Picture;
  /** Accounts and contacts in it besides the owner; the second is an administrator. */
  readonly people: readonly User[];
  /** Further members out of the population, from this one on. */
  readonly extraFrom: number;
  readonly extraMembers: number;
  /** By an account, and in no seed. */
  readonly made?: true;
}

export interface Description {
  readonly id: string;
  readonly text: string;
  /** Unix seconds. */
  readonly at: number;
  readonly by: User;
}

/** What a change leaves that the options do not say; kept over a restart. */
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
  readonly expiration?: number;
  /** Who asks to be let in, by phone number, and since when. */
  readonly requests?: readonly (readonly [string, number])[];
}

export class Group {
  subject: string;
  description: Description;
  announce: boolean;
  /** Only administrators change what the group is called and says of itself. */
  locked = false;
  /** Administrators let in whoever comes by a link. */
  approval = false;
  /** Its messages disappear after so many seconds; 0: never. */
  expiration = 0;
  /** Who asks to be let in, by phone number, and since when, in Unix seconds. */
  private requests = new Map<string, number>();
  private people: Map<string, GroupMember>;
  /** Who was in it once, by phone number. */
  private readonly left = new Set<string>();
  /** How many links there have been; the last one holds. */
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

  /** `undefined`: as it was made. */
  get changes(): GroupChanges | undefined {
    if (!this.altered) return undefined;
    const { subject, announce, locked, left, invites, approval, expiration, requests } = this;
    const { by, ...description } = this.description;
    const members = [...this.people.values()].map(({ user, admin }) => ({ phone: user.phone, ...(admin && { admin }) }));
    const asked = { approval, expiration, requests: [...requests] };
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
    expiration = 0,
    requests = [],
  }: GroupChanges): void {
    Object.assign(this, { subject, announce, locked, invites, approval, expiration });
    this.requests = new Map(requests);
    this.description = { ...description, by: personOf(description.by) };
    this.people = byPhone(members.map(({ phone, admin }) => ({ user: personOf(phone), ...(admin && { admin }) })));
    for (const phone of left) this.left.add(phone);
    this.altered = true;
  }

  /** Of those named: nobody else in it has an account. */
  has({ phone }: Pick<User, "phone">): boolean {
    return this.people.has(phone);
  }

  /** Also of those without an account. */
  isIn({ phone }: Pick<User, "phone">): boolean {
    return this.people.has(phone) || [...this.crowd()].some((user) => user.phone === phone);
  }

  hasLeft({ phone }: Pick<User, "phone">): boolean {
    return this.left.has(phone);
  }

  adminKind({ phone }: Pick<User, "phone">): AdminKind | undefined {
    return this.people.get(phone)?.admin;
  }

  /** Its owner and those named; nobody else in it has an account whose devices could be linked. */
  accounts(): Iterable<User> {
    return [...this.people.values()].map(({ user }) => user);
  }

  /** Its owner first; computed anew each time. */
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

  /** Asks to be let in. */
  ask({ phone }: Pick<User, "phone">, at: number): void {
    this.altered = true;
    if (!this.requests.has(phone)) this.requests.set(phone, at);
  }

  asking(): Iterable<readonly [string, number]> {
    return this.requests;
  }

  /** False when there was no such request. */
  refuse({ phone }: Pick<User, "phone">): boolean {
    this.altered = true;
    return this.requests.delete(phone);
  }

  /** Where no administrator is left, whoever is in it longest becomes one. */
  remove({ phone }: Pick<User, "phone">): void {
    this.altered = true;
    this.people.delete(phone);
    this.left.add(phone);
    const [first, ...others] = this.people.values();
    if (first !== undefined && ![first, ...others].some(({ admin }) => admin !== undefined)) this.appoint(first.user, "admin");
  }

  /** Somebody out of the crowd is named from then on. */
  appoint({ phone, lid }: User, admin: "admin" | undefined): void {
    this.altered = true;
    this.people.set(phone, { user: { phone, lid }, ...(admin && { admin }) });
  }

  change(changes: Partial<Pick<Group, "subject" | "description" | "announce" | "locked" | "approval" | "expiration">>): void {
    this.altered = true;
    Object.assign(this, changes);
  }

  get inviteCode(): string {
    return this.codeOf(this.invites);
  }

  /** The former link leads nowhere from now on. */
  revokeInvite(): void {
    this.altered = true;
    this.invites++;
  }

  /** `revoked`: a former link of this group. */
  judgeInvite(code: string): "open" | "revoked" | undefined {
    if (code === this.inviteCode) return "open";
    for (let turn = 1; turn < this.invites; turn++) if (code === this.codeOf(turn)) return "revoked";
    return undefined;
  }

  private codeOf(turn: number): string {
    return createHash("sha256").update(`${this.id} ${turn}`).digest("base64url").slice(0, 22);
  }

  /** Those of the population whom no change has named. */
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

/** As an account makes one; what else is said of it is a change. */
export function newGroup(options: Pick<GroupOptions, "id" | "owner" | "created">): Group {
  const nothing = { subject: "", description: "", people: [], extraFrom: 0, extraMembers: 0 };
  return new Group({ ...options, ...nothing, addressing: "lid", hidden: false, announce: false, picture: "none", made: true });
}
