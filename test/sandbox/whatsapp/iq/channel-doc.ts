import { createHash } from "node:crypto";
import type { Channel, ChannelPicture } from "../world/channel.js";
import type { Account } from "../world/account.js";
import type { IqRequest } from "./iq-request.js";

/** Returns a channel in the platform's JSON, as the account sees it. `viewer: false` omits the account's role. */
export function channelDoc(
  { mediaHost, world }: Pick<IqRequest, "mediaHost" | "world">,
  channel: Channel,
  account: Account,
  viewer = true,
): object {
  const { id, name, description, picture, subscribers } = channel;
  const { created, state } = channel.options;
  const path = `/pictures/${encodeURIComponent(id)}/${world.pictures.get(id) ?? 0}`;
  const image = (type: "IMAGE" | "PREVIEW", file: string): unknown =>
    pictureDoc(picture, type, String(created), mediaHost(), `${path}/${file}`);
  const text = (value: string): unknown => ({ id: String(created), text: value, update_time: String(created * 1_000_000) });
  return {
    id,
    state: { type: channel.deleted ? "DELETED" : state },
    thread_metadata: {
      creation_time: String(created),
      name: text(name),
      description: text(description),
      invite: inviteOf(channel),
      handle: null,
      picture: image("IMAGE", "image.jpg"),
      preview: image("PREVIEW", "preview.jpg"),
      settings: { reaction_codes: { value: "ALL" } },
      subscribers_count: String(subscribers),
      verification: subscribers > 100_000 ? "VERIFIED" : "UNVERIFIED",
    },
    viewer_metadata: viewer ? { mute: channel.isMutedBy(account) ? "ON" : "OFF", role: channel.roleOf(account) } : null,
  };
}

function pictureDoc(picture: ChannelPicture, type: string, id: string, host: string, path: string): unknown {
  if (picture === "none") return null;
  // Baileys requires a picture in a channel that it creates (newsletter.js, parseNewsletterCreateResponse).
  if (picture === "empty") return { id: "", type, direct_path: "" };
  return { id, type, direct_path: path, ...(picture === "url" && { url: `https://${host}${path}` }) };
}

/** Returns the code that follows `https://whatsapp.com/channel/`. */
export function inviteOf({ id }: Pick<Channel, "id">): string {
  return `0029Va${createHash("sha256").update(id).digest("base64url").slice(0, 18)}`;
}
