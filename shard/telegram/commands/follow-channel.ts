import { Api } from "telegram";
import type { CommandCall } from "../../session/command.js";
import type { LeftChannel } from "../../../shared/contract/channel-change.js";
import type { Channel, ChannelReferenceInput } from "../../../shared/contract/telegram/channel.js";
import { channelNotFound, chatNotFound, invalidChat } from "../../../shared/contract/telegram/errors.js";
import { inviteHashOf } from "../../../shared/contract/telegram/invite-link.js";
import { unlessLeft } from "../chats/change-group.js";
import { channelRecord } from "../chats/channel-record.js";
import { channelMark } from "../chats/chat-reference.js";
import { chatsIn } from "../chats/chats-in.js";
import type { TelegramConnector } from "../connector.js";
import { isJoinedChannel } from "../convert.js";
import { errorName } from "../errors.js";
import { applyChange, repeatChange, type Try } from "../message/repeat-change.js";
import { type Peer, toInputChannel } from "../peers.js";

type KnownReference = Exclude<ChannelReferenceInput["channel"], { kind: "invite" }>;

/** POST /channel/follow. Following a channel again changes nothing. */
export function followChannel(connector: TelegramConnector, { channel }: ChannelReferenceInput, call: CommandCall): Promise<Channel> {
  return repeatChange(connector, call, async (each) => {
    const followed = channel.kind === "invite" ? await joinByInvite(connector, channel.link, each) : await join(connector, channel, each);
    return channelRecord(connector, each.client, followed, each.signal);
  });
}

/** POST /channel/leave. */
export async function leaveChannel(
  connector: TelegramConnector,
  { channel }: ChannelReferenceInput,
  call: CommandCall,
): Promise<LeftChannel> {
  return repeatChange(connector, call, async (each) => {
    const peer = channel.kind === "invite" ? await invitedPeer(connector, channel.link, each) : await findPeer(connector, channel, each);
    const chat = await connector.chats.read(each.client, peer, each.signal);
    if (chat !== undefined && isJoinedChannel(chat))
      await unlessLeft(applyChange(connector, new Api.channels.LeaveChannel({ channel: toInputChannel(peer) }), each));
    // A repeat finds that an earlier try has left the channel.
    else if (!each.isRepeat) throw channelNotFound();
    connector.chats.left(peer.id);
    return { id: peer.id };
  });
}

async function join(connector: TelegramConnector, reference: KnownReference, each: Try): Promise<Api.Channel> {
  const peer = await findPeer(connector, reference, each);
  const chat = requireChannel(await connector.chats.read(each.client, peer, each.signal));
  if (isJoinedChannel(chat)) return chat;
  const updates = await applyChange(connector, new Api.channels.JoinChannel({ channel: toInputChannel(peer) }), each);
  return joinedIn(updates) ?? requireChannel(await connector.chats.read(each.client, peer, each.signal));
}

/** A link leads to any kind of chat, so the link is checked before the account joins. */
async function joinByInvite(connector: TelegramConnector, link: string, each: Try): Promise<Api.Channel> {
  const hash = hashOf(link);
  const invite = await check(each, hash);
  if (invite instanceof Api.ChatInviteAlready) return requireChannel(invite.chat);
  if (invite instanceof Api.ChatInvite ? invite.broadcast !== true : !isBroadcast(invite.chat)) throw channelNotFound();
  try {
    return requireChannel(joinedIn(await applyChange(connector, new Api.messages.ImportChatInvite({ hash }), each)));
  } catch (error) {
    if (errorName(error) !== "USER_ALREADY_PARTICIPANT") throw error;
    // An earlier copy of the request, whose reply was lost, has joined the channel.
    const now = await check(each, hash);
    if (now instanceof Api.ChatInviteAlready) return requireChannel(now.chat);
    throw error;
  }
}

async function findPeer(connector: TelegramConnector, reference: KnownReference, { client, signal }: Try): Promise<Peer> {
  const peer = await connector.chats.find(client, reference, signal);
  if (peer === undefined) throw chatNotFound();
  return peer;
}

/** Returns the channel of an invite link that the account has joined. */
async function invitedPeer({ peers }: TelegramConnector, link: string, each: Try): Promise<Peer> {
  const invite = await check(each, hashOf(link));
  if (!(invite instanceof Api.ChatInviteAlready)) throw channelNotFound();
  const peer = await peers.find(channelMark(requireChannel(invite.chat).id));
  if (peer === undefined) throw channelNotFound();
  return peer;
}

function hashOf(link: string): string {
  const hash = inviteHashOf(link);
  if (hash === undefined) throw invalidChat();
  return hash;
}

function check({ client, signal, leftMs }: Try, hash: string): Promise<Api.TypeChatInvite> {
  return client.invoke(new Api.messages.CheckChatInvite({ hash }), { signal, leftMs });
}

function joinedIn(response: unknown): Api.Channel | undefined {
  return chatsIn(response).find(isBroadcast);
}

function requireChannel(chat: Api.TypeChat | undefined): Api.Channel {
  if (chat === undefined || !isBroadcast(chat)) throw channelNotFound();
  return chat;
}

function isBroadcast(chat: Api.TypeChat): chat is Api.Channel {
  return chat instanceof Api.Channel && chat.broadcast === true;
}
