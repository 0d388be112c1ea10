import type { Input } from "../../shared/contract/commands.js";
import { isNewsletterId } from "../../shared/contract/whatsapp/address.js";
import { invalidChannel } from "../../shared/contract/whatsapp/errors.js";
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
export function parseNewChannel({ body }: HttpInput): Input<"whatsapp", "create-channel"> {
  return parseNewChannelForm(body, limits, wording);
}

/** Parses PATCH /channel/{channelId} with the platform's limits. */
export function parseChannelChange(http: HttpInput): Input<"whatsapp", "update-channel"> {
  return { ...parseChannelPath(http, wording), ...parseChannelChangeForm(http.body, limits, wording) };
}

/** Parses POST /channel/follow and /channel/leave. */
export function parseChannelReference({ body }: HttpInput): Input<"whatsapp", "follow-channel"> {
  return { channel: toReference(parseChannelReferenceForm(body, wording).channel) };
}

const limits: ChannelLimits = { name: 100, description: 2_048 };

function toReference(text: string): Input<"whatsapp", "follow-channel">["channel"] {
  const channel = text.trim();
  if (isNewsletterId(channel)) return { kind: "id", id: channel };
  const code = channelLink.exec(channel)?.[1];
  if (code === undefined) throw invalidChannel();
  return { kind: "invite", code };
}

/** The link that the platform's clients share, with or without the number of a post. */
const channelLink = /^(?:https?:\/\/)?(?:www\.)?whatsapp\.com\/channel\/([\w-]{1,64})(?:\/\d+)?\/?(?:[?#].*)?$/i;
