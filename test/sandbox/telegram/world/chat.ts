import { MessageBox } from "./message-box.js";
import { memberPerson, memberPopulation } from "./person.js";

/** What an administrator may do: to post is a right of its own in broadcasts, all else comes with being one. */
export interface AdminRights {
  readonly postMessages: boolean;
  /** What was named, as it is shown: names of `ChatAdminRights`. */
  readonly given?: readonly string[];
  /** What stands beside the name. */
  readonly rank?: string;
  /** User id of whoever appointed them; the creator when it is absent. */
  readonly by?: number;
}

/** A basic group: a handful of members, messages in each member's own box. */
export interface BasicGroup {
  readonly kind: "group";
  readonly id: number;
  title: string;
  about: string;
  /** Unix seconds of its creation. */
  readonly date: number;
  readonly creatorId: number;
  /** Join date by user id, the creator included. */
  readonly members: Map<number, number>;
  readonly admins: Set<number>;
  readonly hasPhoto: boolean;
  /** Channel that it was upgraded to; such a group stays in the dialog list as a husk. */
  migratedTo?: number;
  readonly forbiddenTo: Set<number>;
  /** Who left of their own will. */
  readonly left: Set<number>;
  /** Who brought a member in, where that was not the creator. */
  readonly inviters: Map<number, number>;
  /** Counts changes of its members, as clients compare them. */
  version: number;
  /** Made, or changed, since the start. */
  changed: boolean;
}

export function basicGroup({
  members,
  ...options
}: Pick<BasicGroup, "id" | "title" | "date" | "creatorId"> & Partial<BasicGroup> & { readonly members: Map<number, number> }): BasicGroup {
  return {
    kind: "group",
    about: "",
    hasPhoto: true,
    admins: new Set(),
    forbiddenTo: new Set(),
    left: new Set(),
    inviters: new Map(),
    version: 1,
    changed: false,
    members,
    ...options,
  };
}

export type ChannelKind = "broadcast" | "supergroup" | "gigagroup";

/** A supergroup or broadcast channel: one box that all members share. */
export class Channel {
  readonly kind = "channel";
  readonly box = new MessageBox();
  /** Members with an account in the sandbox, with join date; the rest of the members is computed. */
  readonly joined = new Map<number, number>();
  readonly admins = new Map<number, AdminRights>();
  /** Who came or went since the start: the join date by user id, 0 for whoever left. */
  readonly moved = new Map<number, number>();
  /** Who was appointed since the start, or is no administrator any more. */
  readonly appointed = new Map<number, AdminRights | undefined>();
  /** Basic group that it was made out of. */
  migratedFrom: number | undefined;
  /** Accounts that left, and accounts that were thrown out. */
  readonly left = new Set<number>();
  readonly forbiddenTo = new Set<number>();
  /** Unix seconds of each account's last message, for slow mode. */
  readonly lastSentAt = new Map<number, number>();
  readonly id: number;
  readonly type: ChannelKind;
  title: string;
  about: string;
  readonly username: string | undefined;
  readonly date: number;
  readonly creatorId: number;
  readonly extraMembers: number;
  readonly hidesMembers: boolean;
  readonly hasPhoto: boolean;
  readonly slowmodeSeconds: number;
  readonly readOnly: boolean;
  /** Id of the last message that was there from the start. */
  seededUpTo = 0;
  /** Made, or renamed, since the start. */
  changed = false;
  /** Fills the box at the first look; gone afterwards. */
  private seed: ((box: MessageBox) => void) | undefined;

  constructor(options: ChannelOptions) {
    this.id = options.id;
    this.type = options.type;
    this.title = options.title;
    this.about = options.about ?? "";
    this.username = options.username;
    this.date = options.date;
    this.creatorId = options.creatorId;
    this.extraMembers = Math.min(options.extraMembers ?? 0, memberPopulation);
    this.hidesMembers = options.hidesMembers ?? false;
    this.hasPhoto = options.hasPhoto ?? true;
    this.slowmodeSeconds = options.slowmodeSeconds ?? 0;
    this.readOnly = options.readOnly ?? false;
    this.seed = options.seed;
  }

  get broadcast(): boolean {
    return this.type === "broadcast";
  }

  get memberCount(): number {
    return this.joined.size + this.extraMembers + (this.joined.has(this.creatorId) ? 0 : 1);
  }

  /** The shared box, seeded. */
  history(): MessageBox {
    const seed = this.seed;
    this.seed = undefined;
    if (seed !== undefined) {
      seed(this.box);
      this.seededUpTo = this.box.nextId - 1;
    }
    return this.box;
  }

  join(userId: number, at: number): void {
    this.left.delete(userId);
    this.joined.set(userId, at);
    this.moved.set(userId, at);
  }

  appoint(userId: number, rights: AdminRights | undefined): void {
    this.appointed.set(userId, rights);
    if (rights === undefined) this.admins.delete(userId);
    else this.admins.set(userId, rights);
  }

  leave(userId: number): void {
    if (this.admins.has(userId)) this.appoint(userId, undefined);
    this.joined.delete(userId);
    this.left.add(userId);
    this.moved.set(userId, 0);
  }

  /** Throws somebody out, for good. */
  ban(userId: number): void {
    this.leave(userId);
    this.left.delete(userId);
    this.forbiddenTo.add(userId);
  }

  /** Creators, and of others whoever appointed them, decide about administrators. */
  mayDismiss(userId: number, admin: number): boolean {
    if (admin === this.creatorId) return false;
    return userId === this.creatorId || this.admins.get(admin)?.by === userId;
  }

  isAdmin(userId: number): boolean {
    return userId === this.creatorId || this.admins.has(userId);
  }

  /** Whether the account may rename it and bring people in. */
  mayChange(userId: number): boolean {
    return this.isAdmin(userId) || (this.type === "supergroup" && !this.readOnly && this.joined.has(userId));
  }

  mayPost(userId: number): boolean {
    if (userId === this.creatorId) return true;
    const rights = this.admins.get(userId);
    return this.broadcast ? rights?.postMessages === true : rights !== undefined || !this.readOnly;
  }

  /** User ids in list order: creator, accounts of the sandbox, then the computed crowd. */
  memberIds(offset: number, limit: number): number[] {
    const head = this.joined.has(this.creatorId) ? [...this.joined.keys()] : [this.creatorId, ...this.joined.keys()];
    const ids = head.slice(offset, offset + limit);
    for (let n = Math.max(0, offset - head.length); ids.length < limit && n < this.extraMembers; n++) ids.push(memberPerson(n).id);
    return ids;
  }

  isMember(userId: number): boolean {
    if (this.joined.has(userId) || userId === this.creatorId) return true;
    return userId >= memberPerson(0).id && userId < memberPerson(0).id + this.extraMembers;
  }
}

export interface ChannelOptions {
  readonly id: number;
  readonly type: ChannelKind;
  readonly title: string;
  readonly about?: string;
  readonly username?: string;
  readonly date: number;
  readonly creatorId: number;
  readonly extraMembers?: number;
  readonly hidesMembers?: boolean;
  readonly hasPhoto?: boolean;
  readonly slowmodeSeconds?: number;
  readonly readOnly?: boolean;
  readonly seed?: (box: MessageBox) => void;
}
