import { proto } from "@whiskeysockets/baileys";
import type { User } from "../whatsapp-backend.js";
import { personOf } from "./person.js";

export type ChannelRole = "OWNER" | "ADMIN" | "SUBSCRIBER" | "GUEST";

/** `path`: the platform omits the picture's full address; `empty`: the picture has no content, as in a new channel. */
export type ChannelPicture = "url" | "path" | "none" | "empty";

export interface ChannelOptions {
  /** "...@newsletter". */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owner: User;
  readonly admins: readonly User[];
  /** Accounts that follow the channel, besides its admins. */
  readonly followers: readonly User[];
  readonly subscribers: number;
  readonly picture: ChannelPicture;
  readonly state: "ACTIVE" | "SUSPENDED" | "GEOSUSPENDED";
  /** Number of initial posts. */
  readonly posts: number;
  /** Set for a channel that an account created, which no seed contains. */
  readonly made?: true;
}

export interface Post {
  /** Increases within the channel. */
  readonly serverId: number;
  readonly id: string;
  /** Unix seconds. */
  readonly at: number;
  readonly type: "text" | "media";
  /** Kind of file, as the sender names it. */
  readonly mediatype?: string;
  /** `proto.Message`; `undefined` once the post is deleted. */
  readonly message: Buffer | undefined;
  /** Views by people without an account. */
  readonly views: number;
  /** Unix milliseconds. */
  readonly editedAt?: number;
  /** Phone number of the author's account. */
  readonly by?: string;
  /** Accounts that saw the post, and their reactions, by phone number. */
  readonly seenBy?: readonly string[];
  readonly reactions?: Readonly<Record<string, string>>;
}

/** State that differs from the options. It survives a restart. */
export interface ChannelChanges {
  readonly name: string;
  readonly description: string;
  readonly picture: ChannelPicture;
  readonly deleted: boolean;
  /** By phone number. */
  readonly roles: Readonly<Record<string, ChannelRole>>;
  readonly muted: readonly string[];
}

const keptPosts = 500;
const texts = ["Good morning", "Новости дня", "صباح الخير", "Read this 👇", "Thanks all!", "See you tomorrow 🌙"];
const hour = 3_600;

export class Channel {
  name: string;
  description: string;
  picture: ChannelPicture;
  /** The owner deleted the channel; only its id remains. */
  deleted = false;
  /** Posts since the first start, and changed initial posts, by server id. */
  private kept = new Map<number, Post>();
  private seeded: readonly Post[] | undefined;
  /** By phone number. */
  private roles: Map<string, ChannelRole>;
  private readonly muted = new Set<string>();
  private altered = false;
  /** Number of initial accounts, which the options' subscriber count includes. */
  private readonly counted: number;

  constructor(
    readonly options: ChannelOptions,
    /** Unix seconds; the initial posts are older. */
    private readonly startedAt: number,
  ) {
    const { owner, admins, followers } = options;
    this.name = options.name;
    this.description = options.description;
    this.picture = options.picture;
    this.roles = new Map<string, ChannelRole>([
      ...followers.map(({ phone }) => [phone, "SUBSCRIBER"] as const),
      ...admins.map(({ phone }) => [phone, "ADMIN"] as const),
      [owner.phone, "OWNER"] as const,
    ]);
    this.counted = this.roles.size;
  }

  get id(): string {
    return this.options.id;
  }

  get newPosts(): readonly Post[] {
    return [...this.kept.values()];
  }

  /** `undefined` if the channel was never changed. */
  get changes(): ChannelChanges | undefined {
    if (!this.altered) return undefined;
    const { name, description, picture, deleted, roles, muted } = this;
    return { name, description, picture, deleted, roles: Object.fromEntries(roles), muted: [...muted] };
  }

  get subscribers(): number {
    return Math.max(0, this.options.subscribers + this.roles.size - this.counted);
  }

  get adminCount(): number {
    return [...this.roles.values()].filter((role) => role !== "SUBSCRIBER").length;
  }

  roleOf({ phone }: Pick<User, "phone">): ChannelRole {
    return this.roles.get(phone) ?? "GUEST";
  }

  isRunBy(user: Pick<User, "phone">): boolean {
    return ["OWNER", "ADMIN"].includes(this.roleOf(user));
  }

  /** Followers and admins. */
  people(): Iterable<User> {
    return [...this.roles.keys()].map(personOf);
  }

  change(changes: Partial<Pick<Channel, "name" | "description" | "picture" | "deleted">>): void {
    this.altered = true;
    Object.assign(this, changes);
  }

  follow({ phone }: Pick<User, "phone">): void {
    this.altered = true;
    if (!this.roles.has(phone)) this.roles.set(phone, "SUBSCRIBER");
  }

  unfollow({ phone }: Pick<User, "phone">): void {
    this.altered = true;
    this.roles.delete(phone);
    this.muted.delete(phone);
  }

  isMutedBy({ phone }: Pick<User, "phone">): boolean {
    return this.muted.has(phone);
  }

  mute({ phone }: Pick<User, "phone">, muted: boolean): void {
    this.altered = true;
    if (muted) this.muted.add(phone);
    else this.muted.delete(phone);
  }

  /** Oldest first. */
  posts(): readonly Post[] {
    this.seeded ??= Array.from({ length: this.options.posts }, (_, n) => this.seed(n));
    const first = firstServerId + this.options.posts;
    const added = this.newPosts.filter(({ serverId }) => serverId >= first).sort((a, b) => a.serverId - b.serverId);
    return [...this.seeded.map((post) => this.kept.get(post.serverId) ?? post), ...added];
  }

  add(draft: Pick<Post, "id" | "message" | "type" | "mediatype" | "by">): Post {
    const serverId = (this.posts().at(-1)?.serverId ?? firstServerId - 1) + 1;
    const post: Post = { ...draft, serverId, at: Math.floor(Date.now() / 1_000), views: 0 };
    this.kept.set(serverId, post);
    const added = this.newPosts.filter((one) => one.serverId >= firstServerId + this.options.posts);
    if (added.length > keptPosts && added[0] !== undefined) this.kept.delete(added[0].serverId);
    return post;
  }

  post(which: { readonly id: string } | { readonly serverId: number }): Post | undefined {
    return this.posts().find((post) => ("id" in which ? post.id === which.id : post.serverId === which.serverId));
  }

  /** Replaces a post by its changed form. */
  replace(post: Post): void {
    this.kept.set(post.serverId, post);
  }

  restore(posts: readonly Post[]): void {
    this.kept = new Map(posts.map((post) => [post.serverId, post]));
  }

  restoreChanges({ roles, muted, ...said }: ChannelChanges): void {
    this.altered = true;
    Object.assign(this, said);
    this.roles = new Map(Object.entries(roles));
    for (const phone of muted) this.muted.add(phone);
  }

  private seed(n: number): Post {
    const text = `${texts[n % texts.length] ?? ""} #${n + 1}`;
    const at = this.startedAt - (this.options.posts - n) * hour;
    const isMedia = n % 5 === 4;
    const message = isMedia
      ? { imageMessage: { url: "", directPath: `/pictures/post-${n}`, mimetype: "image/jpeg", caption: text, width: 640, height: 640 } }
      : { extendedTextMessage: { text } };
    const id = `3EB0${this.options.id.slice(0, 18)}${String(n).padStart(6, "0")}`;
    return {
      serverId: firstServerId + n,
      id,
      at,
      type: isMedia ? "media" : "text",
      ...(isMedia && { mediatype: "image" }),
      message: Buffer.from(proto.Message.encode(proto.Message.fromObject(message)).finish()),
      views: (n * 37) % 1_000,
    };
  }
}

const firstServerId = 100;

/** Returns an account's new channel. Its name and all else are set as changes. */
export function newChannel(options: Pick<ChannelOptions, "id" | "owner" | "created">, startedAt: number): Channel {
  const nothing = { name: "", description: "", admins: [], followers: [], subscribers: 1, posts: 0 };
  return new Channel({ ...options, ...nothing, picture: "empty", state: "ACTIVE", made: true }, startedAt);
}
