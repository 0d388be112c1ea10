import { randomInt } from "node:crypto";
import { node, stanzaId, unixSeconds } from "../protocol/node.js";
import { serverJid } from "../whatsapp-backend.js";
import { type Channel, newChannel } from "../world/channel.js";
import type { World } from "../world/world.js";
import { channelDoc } from "./channel-doc.js";
import type { IqRequest } from "./iq-request.js";
import { type ChannelInput, failure, type Query, type Variables } from "./mex-query.js";

/** Characters. */
const maxName = 100;
const maxDescription = 2_048;
/** Limits the memory of a sandbox that runs tests for days. */
const maxMade = 5_000;

/** Creates a channel that the account owns. */
export const createChannel: Query = (request, { input, newsletter_input: wanted = input }) => {
  const { world, account } = request;
  if (wanted?.name == null || !isGood(wanted)) return failure(400, "Bad Request");
  if ([...world.allChannels()].filter(({ options }) => options.made).length >= maxMade) return failure(429, "Too Many Requests");
  const owner = { phone: account.phone, lid: account.lid };
  const channel = newChannel({ id: freeId(world), owner, created: Number(unixSeconds()) }, world.startedAt);
  describe(world, channel, wanted);
  world.addChannel(channel);
  world.changed("world");
  const doc = channelDoc(request, channel, account);
  tellAccount(request, "NotificationNewsletterJoin", { xwa2_notify_newsletter_on_join: doc });
  return { data: { xwa2_newsletter_create: doc } };
};

export const updateChannel: Query = (request, { newsletter_id: id, updates = {} }) =>
  withChannel(request, id, (channel) => {
    if (!channel.isRunBy(request.account)) return failure(403, "Forbidden");
    if (!isGood(updates)) return failure(400, "Bad Request");
    describe(request.world, channel, updates);
    return { data: { xwa2_newsletter_update: channelDoc(request, channel, request.account, false) } };
  });

/** Deletes a channel. Only its owner may. */
export const deleteChannel: Query = (request, { newsletter_id: id }) =>
  withChannel(request, id, (channel) => {
    if (channel.roleOf(request.account) !== "OWNER") return failure(403, "Forbidden");
    channel.change({ deleted: true });
    return { data: { xwa2_newsletter_delete_v2: { id: channel.id, state: { type: "DELETED" } } } };
  });

export const follow: Query = (request, { newsletter_id: id }) =>
  withChannel(request, id, (channel) => {
    channel.follow(request.account);
    request.account.channels.add(channel.id);
    tellAccount(request, "NotificationNewsletterJoin", { xwa2_notify_newsletter_on_join: channelDoc(request, channel, request.account) });
    return { data: { xwa2_newsletter_join_v2: { id: channel.id, state: { type: channel.options.state } } } };
  });

/** The owner cannot leave the channel. */
export const unfollow: Query = (request, { newsletter_id: id }) =>
  withChannel(request, id, (channel) => {
    if (channel.roleOf(request.account) === "OWNER") return failure(403, "Forbidden");
    channel.unfollow(request.account);
    request.account.channels.delete(channel.id);
    tellAccount(request, "NotificationNewsletterLeave", { xwa2_notify_newsletter_on_leave: { id: channel.id, role: "GUEST" } });
    return { data: { xwa2_newsletter_leave_v2: { id: channel.id, state: { type: channel.options.state } } } };
  });

export const setMute =
  (muted: boolean): Query =>
  (request, { newsletter_id: id }) =>
    withChannel(request, id, (channel) => {
      if (channel.roleOf(request.account) === "GUEST") return failure(403, "Forbidden");
      channel.mute(request.account, muted);
      const doc = { id: channel.id, mute: muted ? "ON" : "OFF" };
      tellAccount(request, "NotificationNewsletterUserSettingChange", { xwa2_notify_newsletter_on_mute_change: doc });
      return { data: { [muted ? "xwa2_newsletter_mute_v2" : "xwa2_newsletter_unmute_v2"]: doc } };
    });

function withChannel({ world }: IqRequest, id: Variables["newsletter_id"], change: (channel: Channel) => unknown): unknown {
  const channel = world.channel(id ?? "");
  if (channel === undefined || channel.deleted) return failure(404, "Not Found");
  const answer = change(channel);
  world.changed("world");
  return answer;
}

function isGood({ name, description }: ChannelInput): boolean {
  return (name == null || (name !== "" && [...name].length <= maxName)) && [...(description ?? "")].length <= maxDescription;
}

/** Omitted fields stay unchanged. The sandbox only stores whether a picture exists, and shows one of its own. */
function describe(world: World, channel: Channel, { name, description, picture }: ChannelInput): void {
  channel.change({
    ...(name != null && { name }),
    ...(description != null && { description }),
    ...(picture != null && { picture: picture === "" ? ("empty" as const) : ("url" as const) }),
  });
  if (picture) world.changePicture(channel.id, "set");
}

/** Notifies all devices of the account, including the requesting one (whatsmeow's notification.go, handleMexNotification). */
function tellAccount({ account, tell }: IqRequest, operation: string, data: unknown): void {
  const content = Buffer.from(JSON.stringify({ data }));
  tell([account], () =>
    node("notification", { from: serverJid, type: "mex", id: stanzaId(), t: unixSeconds() }, [
      node("update", { op_name: operation }, content),
    ]),
  );
}

function freeId(world: World): string {
  for (;;) {
    const id = `12036392${String(randomInt(10 ** 10)).padStart(10, "0")}@newsletter`;
    if (world.channel(id) === undefined) return id;
  }
}
