import { proto } from "@whiskeysockets/baileys";
import type { User } from "../whatsapp-backend.js";

export type ChannelRole = "OWNER" | "ADMIN" | "SUBSCRIBER" | "GUEST";

/** `path`: the platform names no whole address of the picture. */
export type ChannelPicture = "url" | "path" | "none";

export interface ChannelOptions {
  /** "...@newsletter". */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owner: User;
  readonly admins: readonly User[];
  /** Accounts that follow it, besides those that run it. */
  readonly followers: readonly User[];
  readonly subscribers: number;
  readonly picture: ChannelPicture;
  readonly state: "ACTIVE" | "SUSPENDED" | "GEOSUSPENDED";
  /** Posts that it starts with. */
  readonly posts: number;
}

export interface Post {
  /** Counts up within the channel. */
  readonly serverId: number;
  readonly id: string;
  /** Unix seconds. */
  readonly at: number;
  readonly type: "text" | "media";
  /** `proto.Message`. */
  readonly message: Buffer;
  readonly views: number;
}

const keptPosts = 500;
const texts = ["Good morning", "Новости дня", "صباح الخير", "Read this 👇", "Thanks all!", "See you tomorrow 🌙"];
const hour = 3_600;

export class Channel {
  /** Posts made since the first start. */
  private added: Post[] = [];
  private seeded: readonly Post[] | undefined;
  private readonly roles: ReadonlyMap<string, ChannelRole>;

  constructor(
    readonly options: ChannelOptions,
    /** Unix seconds before which its first posts were written. */
    private readonly startedAt: number,
  ) {
    const { owner, admins, followers } = options;
    this.roles = new Map<string, ChannelRole>([
      ...followers.map(({ phone }) => [phone, "SUBSCRIBER"] as const),
      ...admins.map(({ phone }) => [phone, "ADMIN"] as const),
      [owner.phone, "OWNER"] as const,
    ]);
  }

  get id(): string {
    return this.options.id;
  }

  get newPosts(): readonly Post[] {
    return this.added;
  }

  roleOf({ phone }: Pick<User, "phone">): ChannelRole {
    return this.roles.get(phone) ?? "GUEST";
  }

  /** Oldest first. */
  posts(): readonly Post[] {
    this.seeded ??= Array.from({ length: this.options.posts }, (_, n) => this.seed(n));
    return [...this.seeded, ...this.added];
  }

  add({ id, message, type }: Pick<Post, "id" | "message" | "type">): Post {
    const serverId = (this.added.at(-1)?.serverId ?? this.options.posts + 99) + 1;
    const post: Post = { id, message, type, serverId, at: Math.floor(Date.now() / 1_000), views: 0 };
    this.added.push(post);
    if (this.added.length > keptPosts) this.added.shift();
    return post;
  }

  restore(posts: readonly Post[]): void {
    this.added = [...posts];
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
      serverId: 100 + n,
      id,
      at,
      type: isMedia ? "media" : "text",
      message: Buffer.from(proto.Message.encode(proto.Message.fromObject(message)).finish()),
      views: (n * 37) % 1_000,
    };
  }
}
