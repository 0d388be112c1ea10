import type { BasicGroup, Channel } from "./chat.js";

/** All basic groups and channels by id, and the public names of channels. */
export class ChatBook {
  private readonly groups = new Map<number, BasicGroup>();
  private readonly channels = new Map<number, Channel>();
  private readonly byUsername = new Map<string, Channel>();

  addGroup(group: BasicGroup): void {
    this.groups.set(group.id, group);
  }

  addChannel(channel: Channel): void {
    this.channels.set(channel.id, channel);
    if (channel.username !== undefined) this.byUsername.set(channel.username.toLowerCase(), channel);
  }

  group(id: number): BasicGroup | undefined {
    return this.groups.get(id);
  }

  channel(id: number): Channel | undefined {
    return this.channels.get(id);
  }

  channelByUsername(username: string): Channel | undefined {
    return this.byUsername.get(username.toLowerCase());
  }

  /** Returns the first id above `base` that no chat of this kind has used. */
  nextId(kind: "group" | "channel", base: number): number {
    const ids = kind === "group" ? this.groups.keys() : this.channels.keys();
    let next = base + 1;
    for (const id of ids) if (id >= next) next = id + 1;
    return next;
  }

  allGroups(): Iterable<BasicGroup> {
    return this.groups.values();
  }

  allChannels(): Iterable<Channel> {
    return this.channels.values();
  }
}
