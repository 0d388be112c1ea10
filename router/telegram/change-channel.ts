import type { Input } from "../../shared/contract/commands.js";
import { parseChatReference } from "../../shared/contract/telegram/chat-reference.js";
import { inviteHashOf } from "../../shared/contract/telegram/invite-link.js";
import { parseChannelPath } from "../endpoint/channel-query.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import {
  type ChannelLimits,
  parseChannelChangeForm,
  parseChannelReferenceForm,
  parseNewChannelForm,
} from "../api/channel/channel-forms.js";
import { wording } from "./wording.js";

/** Parses POST /channel with the platform's limits. */
export function parseNewChannel({ body }: HttpInput): Input<"telegram", "create-channel"> {
  return parseNewChannelForm(body, limits, wording);
}

/** Parses PATCH /channel/{channelId} with the platform's limits. */
export function parseChannelChange(http: HttpInput): Input<"telegram", "update-channel"> {
  return { ...parseChannelPath(http, wording), ...parseChannelChangeForm(http.body, limits, wording) };
}

/** Parses POST /channel/follow and /channel/leave. */
export function parseChannelReference({ body }: HttpInput): Input<"telegram", "follow-channel"> {
  return { channel: toReference(parseChannelReferenceForm(body, wording).channel) };
}

const limits: ChannelLimits = { name: 128, description: 255 };

function toReference(channel: string): Input<"telegram", "follow-channel">["channel"] {
  // Without a slash the text is an id or a username.
  const isInvite = channel.includes("/") && inviteHashOf(channel) !== undefined;
  return isInvite ? { kind: "invite", link: channel } : parseChatReference(channel);
}
