import { randomBytes } from "node:crypto";
import { type MarkedId, unixNow } from "./ids.js";

/** A link of an administrator into a group or channel. */
export interface Invite {
  /** The last part of the link. */
  readonly hash: string;
  readonly adminId: number;
  /** Unix seconds. */
  readonly date: number;
  /** True for the administrator's own link. Each administrator has one at a time. */
  readonly permanent: boolean;
  readonly revoked: boolean;
  readonly title?: string;
  /** Unix seconds. */
  readonly expireDate?: number;
  readonly usageLimit?: number;
  /** User ids that joined by the link, with the join date. */
  readonly importers: readonly (readonly [number, number])[];
}

/** Links per chat, so that tests cannot fill the memory. */
const maxInvites = 1_000;
const linkStart = "https://t.me/+";

export class InviteBook {
  private readonly byChat = new Map<MarkedId, readonly Invite[]>();

  /** Oldest first. */
  of(peer: MarkedId): readonly Invite[] {
    return this.byChat.get(peer) ?? [];
  }

  all(): Iterable<readonly [MarkedId, readonly Invite[]]> {
    return this.byChat;
  }

  restore(peer: MarkedId, invites: readonly Invite[]): void {
    this.byChat.set(peer, invites);
  }

  /** Returns `undefined` if the chat has too many links. */
  add(peer: MarkedId, invite: Pick<Invite, "adminId" | "permanent" | "title" | "expireDate" | "usageLimit">): Invite | undefined {
    if (this.of(peer).length >= maxInvites) return undefined;
    const made: Invite = { ...invite, hash: randomBytes(12).toString("base64url"), date: unixNow(), revoked: false, importers: [] };
    this.byChat.set(peer, [...this.of(peer), made]);
    return made;
  }

  /** Replaces a link by its changed form. */
  replace(peer: MarkedId, changed: Invite): void {
    this.byChat.set(
      peer,
      this.of(peer).map((invite) => (invite.hash === changed.hash ? changed : invite)),
    );
  }

  remove(peer: MarkedId, gone: (invite: Invite) => boolean): void {
    this.byChat.set(
      peer,
      this.of(peer).filter((invite) => !gone(invite)),
    );
  }

  find(hash: string): readonly [MarkedId, Invite] | undefined {
    for (const [peer, invites] of this.byChat) {
      const invite = invites.find((one) => one.hash === hash);
      if (invite !== undefined) return [peer, invite];
    }
    return undefined;
  }
}

export function linkOf({ hash }: Invite): string {
  return `${linkStart}${hash}`;
}

export function hashOf(link: string): string {
  return /(?:\/joinchat\/|\/\+)([\w-]+)$/.exec(link)?.[1] ?? "";
}

/** Returns whether the link can still be used. */
export function isOpen({ revoked, expireDate, usageLimit, importers }: Invite): boolean {
  return !revoked && (expireDate ?? Infinity) > unixNow() && (usageLimit ?? Infinity) > importers.length;
}
