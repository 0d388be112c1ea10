import { Api } from "telegram";
import bigInt from "big-integer";

/** Builders for packets that the platform pushes. */

export const bob = "700000002";

export function aMessage(fields: Partial<ConstructorParameters<typeof Api.Message>[0]> = {}): Api.Message {
  return new Api.Message({ id: 1, peerId: new Api.PeerUser({ userId: bigInt(bob) }), date: 1_700_000_000, message: "Hello", ...fields });
}

export function aNewMessage(pts: number, fields: Partial<ConstructorParameters<typeof Api.Message>[0]> = {}): Api.UpdateNewMessage {
  return new Api.UpdateNewMessage({ message: aMessage({ id: pts, ...fields }), pts, ptsCount: 1 });
}

export function aContainer(updates: Api.TypeUpdate[], seq = 0, users: Api.TypeUser[] = []): Api.Updates {
  return new Api.Updates({ updates, users, chats: [], date: 1_700_000_100, seq });
}

export function aShortMessage(pts: number): Api.UpdateShortMessage {
  return new Api.UpdateShortMessage({ id: pts, userId: bigInt(bob), message: "short", pts, ptsCount: 1, date: 1_700_000_000 });
}

export function aUser(id: string, fields: Partial<ConstructorParameters<typeof Api.User>[0]> = {}): Api.User {
  return new Api.User({ id: bigInt(id), accessHash: bigInt(5), firstName: "Bob", ...fields });
}
