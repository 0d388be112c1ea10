import { MessageBox } from "./message-box.js";
import { memberPerson, memberPopulation } from "./person.js";

/** Rights of an administrator. Posting is a separate right in broadcasts; every administrator has the other rights. */
export interface AdminRights {
  readonly postMessages: boolean;
  /** The assigned rights as clients see them: names of `ChatAdminRights`. */
  readonly given?: readonly string[];
  /** Title shown next to the name. */
  readonly rank?: string;
  /** User id of the administrator who granted the rights; the creator if absent. */
  readonly by?: number;
}

/** Everything that default rights may take from members (`ChatBannedRights`). */
export const bannedNames = [
  ...(["sendMessages", "sendMedia", "sendStickers", "sendGifs", "sendGames", "sendInline", "embedLinks", "sendPolls"] as const),
  ...(["sendPhotos", "sendVideos", "sendRoundvideos", "sendAudios", "sendVoices", "sendDocs", "sendPlain"] as const),
  ...(["changeInfo", "inviteUsers", "pinMessages", "manageTopics"] as const),
] as const;
export type BannedName = (typeof bannedNames)[number];

/** A basic group: few members, and a copy of each message in each member's box. */
export interface BasicGroup {
  readonly kind: "group";
  readonly id: number;
  title: string;
  about: string;
  /** Unix seconds of the creation. */
  readonly date: number;
  readonly creatorId: number;
  /** Join dates by user id, including the creator. */
  readonly members: Map<number, number>;
  readonly admins: Set<number>;
  readonly hasPhoto: boolean;
  /** The channel after an upgrade. The old group stays in the dialog list. */
  migratedTo?: number;
  readonly forbiddenTo: Set<number>;
  /** Users who left by themselves. */
  readonly left: Set<number>;
  /** Users who added a member, unless it was the creator. */
  readonly inviters: Map<number, number>;
  /** Counts membership changes, which clients compare. */
  version: number;
  /** What members without administrator rights may not do. */
  banned: ReadonlySet<BannedName>;
  /** Seconds after which messages disappear; 0: never. */
  ttlPeriod: number;
  /** Created or changed since the start. */
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
    banned: new Set(),
    ttlPeriod: 0,
    changed: false,
    members,
    ...options,
  };
}

export type ChannelKind = "broadcast" | "supergroup" | "gigagroup";

/** A supergroup or broadcast channel, whose members share one box. */
export class Channel {
  readonly kind = "channel";
  readonly box = new MessageBox();
  /** Members with an account in the sandbox, with join date. Other members are computed. */
  readonly joined = new Map<number, number>();
  readonly admins = new Map<number, AdminRights>();
  /** Membership changes since the start: the join date by user id, 0 for a user who left. */
  readonly moved = new Map<number, number>();
  /** Administrator changes since the start; undefined for a former administrator. */
  readonly appointed = new Map<number, AdminRights | undefined>();
  /** The basic group before the upgrade. */
  migratedFrom: number | undefined;
  /** Accounts that left, and accounts that were banned. */
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
  /** What members without administrator rights may not do. */
  banned: ReadonlySet<BannedName>;
  /** Seconds after which messages disappear; 0: never. */
  ttlPeriod = 0;
  /** Administrators must approve people who join a public group. */
  joinRequest = false;
  /** Id of the last seeded message. */
  seededUpTo = 0;
  /** Created or renamed since the start. */
  changed = false;
  /** Fills the box on first use, and is then removed. */
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
    this.banned = new Set(options.readOnly === true ? (["sendMessages", "changeInfo", "inviteUsers"] as const) : []);
    this.seed = options.seed;
  }

  get broadcast(): boolean {
    return this.type === "broadcast";
  }

  get memberCount(): number {
    return this.joined.size + this.extraMembers + (this.joined.has(this.creatorId) ? 0 : 1);
  }

  /** Returns the shared box with its seed. */
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

  /** The ban is permanent. */
  ban(userId: number): void {
    this.leave(userId);
    this.left.delete(userId);
    this.forbiddenTo.add(userId);
  }

  /** Returns whether a user may change an administrator: only the creator and the one who appointed them may. */
  mayDismiss(userId: number, admin: number): boolean {
    if (admin === this.creatorId) return false;
    return userId === this.creatorId || this.admins.get(admin)?.by === userId;
  }

  isAdmin(userId: number): boolean {
    return userId === this.creatorId || this.admins.has(userId);
  }

  /** Returns whether the account may change the channel's details, or add people. */
  mayChange(userId: number, right: "changeInfo" | "inviteUsers"): boolean {
    return this.isAdmin(userId) || (this.type === "supergroup" && !this.banned.has(right) && this.joined.has(userId));
  }

  mayPost(userId: number): boolean {
    if (userId === this.creatorId) return true;
    const rights = this.admins.get(userId);
    return this.broadcast ? rights?.postMessages === true : rights !== undefined || !this.banned.has("sendMessages");
  }

  /** Returns user ids in list order: creator, accounts of the sandbox, then computed members. */
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
