import typia from "typia";
import type { Channel } from "../../../shared/contract/whatsapp/channel.js";
import { toIsoTime } from "../convert.js";

/** A channel in the platform's JSON, with only the members that are read here. */
export interface ChannelNode {
  id: string;
  state?: { type?: string } | null;
  thread_metadata?: {
    creation_time?: string | null;
    name?: { text?: string | null } | null;
    picture?: ChannelPicture | null;
    preview?: ChannelPicture | null;
  } | null;
  viewer_metadata?: { role?: string | null } | null;
}

interface ChannelPicture {
  url?: string | null;
  direct_path?: string | null;
}

export const isChannelNode = typia.createIs<ChannelNode>();

/** Converts the platform's channel to the API's. `pictureHost` is the host of pictures that the platform names by path. */
export function toChannel({ id, thread_metadata: thread, viewer_metadata: viewer }: ChannelNode, pictureHost: string): Channel {
  const role = viewer?.role?.toUpperCase();
  return {
    id,
    name: thread?.name?.text ?? "",
    picture: pictureUrl(thread?.picture, pictureHost) || pictureUrl(thread?.preview, pictureHost),
    isOwner: role === "OWNER" || role === "ADMIN",
    created: toIsoTime(Number(thread?.creation_time ?? 0)) ?? "",
  };
}

/** True when its owner or the platform deleted the channel. */
export function isGone({ state }: ChannelNode): boolean {
  const type = state?.type?.toUpperCase();
  return type === "DELETED" || type === "NON_EXISTING";
}

function pictureUrl(picture: ChannelPicture | null | undefined, host: string): string {
  if (picture?.url) return picture.url;
  return picture?.direct_path ? `https://${host}${picture.direct_path}` : "";
}
