import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { describeEntities, storeEntities, tlEntities } from "../tl/entities.js";
import { tlMessageMedia } from "../tl/media.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/chat.js";
import { unixNow, unmark, type MarkedId } from "../world/ids.js";
import type { StoredMessage } from "../world/message-box.js";
import { showTyping } from "../world/typing.js";
import type { World } from "../world/world.js";
import { checkFields } from "./check-fields.js";
import type { AcceptedMedia } from "./accepted-media.js";
import { acceptMedia } from "./input-media.js";
import { movedPlace } from "./live-places.js";
import { checkSchedule } from "./check-schedule.js";
import { checkText } from "./check-text.js";
import { callerOf, type Methods, type Platform } from "./method.js";
import { once } from "./once.js";
import { resolvePeer } from "./peers.js";
import { pollChanged } from "./polls.js";
import { boxOf, channelOf, newMessage, sendFields, sendMessage, sentUpdates } from "./send-message.js";
import { serverEntities } from "./server-entities.js";
import { checkMayWrite } from "./write-permission.js";
import { present } from "../tl/present.js";

/** Methods of a device in chats: send, edit, delete, read, type. */
export function messageMethods(platform: Platform): Methods {
  const { world, delivery } = platform;
  return {
    "messages.SendMessage": {
      handle: async (request: Api.messages.SendMessage, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        checkFields(request, [...sendFields, ...["message", "entities", "randomId", "noWebpage"]]);
        checkText(request.message, request.entities, "text");
        checkSchedule(request.scheduleDate);
        return await once(world, account, String(request.randomId), () => {
          checkMayWrite(world, account, peer, "write");
          const message = sendMessage(platform, account, peer, newMessage(request), context.key);
          if (request.clearDraft) account.drafts.delete(peer);
          if (peer > 0) return shortSent(account, message);
          return sentUpdates(world, account, peer, [{ message, randomId: request.randomId }]);
        });
      },
    },
    "messages.SendMedia": {
      handle: async (request: Api.messages.SendMedia, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        checkFields(request, [...sendFields, ...["message", "entities", "randomId", "media"]]);
        checkText(request.message, request.entities, "caption");
        checkSchedule(request.scheduleDate);
        return await once(world, account, String(request.randomId), async () => {
          if (isOpenPoll(request.media) && channelOf(world, peer)?.broadcast === true)
            throw new RpcFault(400, "BROADCAST_PUBLIC_VOTERS_FORBIDDEN");
          const media = await acceptMedia(world, account, request.media);
          checkMayWrite(world, account, peer, "write");
          const message = sendMessage(platform, account, peer, { ...newMessage(request), media }, context.key);
          return sentUpdates(world, account, peer, [{ message, randomId: request.randomId }]);
        });
      },
    },
    "messages.UploadMedia": {
      handle: async (request: Api.messages.UploadMedia, context) => {
        const account = callerOf(world, context);
        resolvePeer(world, account, request.peer);
        const { attachment } = await acceptMedia(world, account, request.media);
        return tlMessageMedia(world, account, attachment);
      },
    },
    "messages.EditMessage": {
      handle: async (request: Api.messages.EditMessage, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        const old = boxOf(world, account, peer).messages.get(request.id);
        if (old === undefined || old.peer !== peer || old.action !== undefined) throw new RpcFault(400, "MESSAGE_ID_INVALID");
        if (old.from !== account.userId && !mayManage(world, account, peer)) throw new RpcFault(403, "MESSAGE_AUTHOR_REQUIRED");
        if (isTooOld(account, old, channelOf(world, peer))) throw new RpcFault(400, "MESSAGE_EDIT_TIME_EXPIRED");
        checkSchedule(request.scheduleDate);
        checkFields(request, ["peer", "id", "message", "entities", "media", "noWebpage", "invertMedia", "scheduleDate"]);
        // An edit can close a poll, but not change anything else in it.
        if (request.media instanceof Api.InputMediaPoll) {
          const poll = old.attachment?.kind === "poll" ? world.polls.get(old.attachment.pollId) : undefined;
          if (poll === undefined || request.media.poll.closed !== true) throw new RpcFault(400, "MEDIA_NEW_INVALID");
          if (poll.closed) throw new RpcFault(400, "MESSAGE_NOT_MODIFIED");
          poll.closed = true;
          return pollChanged(platform, account, { peer, message: old, poll }, context.key);
        }
        const media = request.media ? await editedMedia(world, account, old, request.media) : undefined;
        const text = request.message ?? old.text;
        checkText(text, request.entities, old.attachment === undefined && media === undefined ? "text" : "caption");
        const entities = request.message == null ? old.entities : storeEntities(serverEntities(world, account, text, request.entities));
        const invertMedia = request.invertMedia === true;
        if (
          media === undefined &&
          text === old.text &&
          String(entities ?? []) === String(old.entities ?? []) &&
          invertMedia === (old.invertMedia === true)
        )
          throw new RpcFault(400, "MESSAGE_NOT_MODIFIED");
        const change = { text, entities, attachment: media?.attachment, invertMedia };
        const message = delivery.edit(account, peer, request.id, change, context.key);
        if (message === undefined) throw new RpcFault(400, "MESSAGE_ID_INVALID");
        world.received.add({
          type: "edit",
          account: account.account,
          id: String(request.id),
          chat: String(peer),
          text,
          entities: describeEntities(request.entities),
          ...(media?.file && { file: media.file }),
          ...(media?.location && { location: media.location }),
        });
        return sentUpdates(world, account, peer, [{ message }]);
      },
    },
    "messages.DeleteMessages": {
      handle: (request: Api.messages.DeleteMessages, context) => {
        const account = callerOf(world, context);
        const gone = delivery.delete(account, undefined, request.id, request.revoke === true, context.key);
        world.received.add({ type: "delete", account: account.account, chat: "", ids: gone.map(String) });
        return new Api.messages.AffectedMessages({ pts: account.box.pts, ptsCount: gone.length });
      },
    },
    "messages.ReadHistory": {
      handle: (request: Api.messages.ReadHistory, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        if (unmark(peer).kind === "channel") throw new RpcFault(400, "PEER_ID_INVALID");
        const maxId = Math.min(request.maxId || Number.MAX_SAFE_INTEGER, account.box.idsOf(peer).at(-1) ?? 0);
        const changed = delivery.read(account, peer, maxId, context.key);
        world.received.add({ type: "read", account: account.account, chat: String(peer), maxId: String(maxId) });
        return new Api.messages.AffectedMessages({ pts: account.box.pts, ptsCount: changed ? 1 : 0 });
      },
    },
    "messages.ReadMessageContents": {
      handle: (request: Api.messages.ReadMessageContents, context) => {
        const account = callerOf(world, context);
        const ptsCount = delivery.readContents(account, request.id, context.key);
        return new Api.messages.AffectedMessages({ pts: account.box.pts, ptsCount });
      },
    },
    "messages.SetTyping": {
      handle: (request: Api.messages.SetTyping, context) => {
        const account = callerOf(world, context);
        const peer = resolvePeer(world, account, request.peer);
        checkMayWrite(world, account, peer, "look");
        showTyping(world, delivery.pushes, account, peer, request.action);
        world.received.add({ type: "typing", account: account.account, chat: String(peer), action: actionName(request.action) });
        return true;
      },
    },
  };
}

/** A message can be edited for two days. Posts of channels, and the account's notes to itself, have no such limit. */
function isTooOld({ userId }: Account, { date, peer }: StoredMessage, channel: Channel | undefined): boolean {
  return channel?.broadcast !== true && peer !== userId && unixNow() - date > editableSeconds;
}

const editableSeconds = 48 * 3_600;

/** Returns whether the poll shows its voters. */
function isOpenPoll(media: Api.TypeInputMedia): boolean {
  return media instanceof Api.InputMediaPoll && media.poll.publicVoters === true;
}

function shortSent(account: Account, message: StoredMessage): Api.UpdateShortSentMessage {
  return new Api.UpdateShortSentMessage(
    present({ out: true, id: message.id, pts: account.box.pts, ptsCount: 1, date: message.date, entities: tlEntities(message.entities) }),
  );
}

/** Returns the edited media: a replaced file, a file added to a text, or a moved or ended live place. */
async function editedMedia(world: World, account: Account, old: StoredMessage, input: Api.TypeInputMedia): Promise<AcceptedMedia> {
  const former = old.attachment;
  if (input instanceof Api.InputMediaGeoLive) return movedPlace(former, input);
  if (former !== undefined && former.kind !== "media") throw new RpcFault(400, "MEDIA_PREV_INVALID");
  const media = await acceptMedia(world, account, input);
  if (media.attachment.kind !== "media" || media.kind === "sticker") throw new RpcFault(400, "MEDIA_NEW_INVALID");
  return media;
}

function actionName(action: Api.TypeSendMessageAction): string {
  if (action instanceof Api.SendMessageTypingAction) return "text";
  if (action instanceof Api.SendMessageRecordAudioAction) return "audio";
  if (action instanceof Api.SendMessageCancelAction) return "cancel";
  return action.className.replace(/^SendMessage|Action$/g, "").toLowerCase();
}

function mayManage(world: World, account: Account, peer: MarkedId): boolean {
  const channel = channelOf(world, peer);
  return channel?.broadcast === true && channel.mayPost(account.userId);
}
