import { Api } from "telegram";
import type { Account } from "./account.js";
import { long, unixNow, unmark, type MarkedId } from "./ids.js";
import type { World } from "./world.js";
import type { Pushes } from "./pushes.js";

/** Shows an account's action, such as typing, to the others in a chat. Channels never show it. */
export function showTyping(world: World, pushes: Pushes, account: Account, peer: MarkedId, action: Api.TypeSendMessageAction): void {
  const { kind, id } = unmark(peer);
  const channel = kind === "channel" ? world.chats.channel(id) : undefined;
  if (channel?.broadcast === true) return;
  const members = kind === "user" ? [id] : (channel?.joined.keys() ?? world.chats.group(id)?.members.keys() ?? []);
  const update = typing(peer, account.userId, action);
  for (const userId of members) {
    const other = userId === account.userId ? undefined : world.accounts.ofUser(userId);
    if (other !== undefined) pushes.pushFleeting(other, () => new Api.UpdateShort({ update, date: unixNow() }));
  }
}

function typing(peer: MarkedId, from: number, action: Api.TypeSendMessageAction): Api.TypeUpdate {
  const { kind, id } = unmark(peer);
  const fromId = new Api.PeerUser({ userId: long(from) });
  if (kind === "user") return new Api.UpdateUserTyping({ userId: long(from), action });
  return kind === "chat"
    ? new Api.UpdateChatUserTyping({ chatId: long(id), fromId, action })
    : new Api.UpdateChannelUserTyping({ channelId: long(id), fromId, action });
}
