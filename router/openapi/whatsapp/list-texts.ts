import { callsOfBoth, channelChangeRequests, channelMessage, created, firstPage, newChannelRequests, nextPage } from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { whatsappErrors } from "./errors.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("WhatsApp");
const group = {
  id: "120363025246125486@g.us",
  name: "Sales",
  description: "Orders and offers",
  picture: "https://example.com/pictures/sales.jpg",
  created,
};
const channel = { id: "120363144038483540@newsletter", name: "Trunkline news", picture: "", isOwner: true, created };
const ofGroups = [whatsappErrors.invalidGroupId, whatsappErrors.groupNotFound, whatsappErrors.platformError];

export const listTexts = {
  "list-groups": {
    ...calls["list-groups"],
    description: "Returns all groups of the account. The gateway fetches pictures one by one, so the response is slow for many groups.",
    reply: { docs: [group] },
    errors: [whatsappErrors.platformError],
  },
  "list-group-members": {
    ...calls["list-group-members"],
    parameters: { groupId: group.id },
    reply: { docs: [{ id: "15550100002@s.whatsapp.net", name: "Bob", phone: "15550100002" }] },
    errors: ofGroups,
  },
  "get-group": { ...calls["get-group"], parameters: { groupId: group.id }, reply: group, errors: ofGroups },
  "list-channels": {
    ...calls["list-channels"],
    description: "Returns all channels that the account follows or manages.",
    reply: { docs: [channel] },
    errors: [whatsappErrors.channelsNotListed, whatsappErrors.platformError],
  },
  "list-channel-messages": {
    ...calls["list-channel-messages"],
    description: `Returns the newest messages first. ${nextPage}`,
    parameters: { channelId: channel.id, ...firstPage },
    reply: { docs: [{ ...channelMessage, channelId: channel.id }] },
    errors: [whatsappErrors.channelNotFound, whatsappErrors.platformError],
  },
  "get-channel": {
    ...calls["get-channel"],
    parameters: { channelId: channel.id },
    reply: channel,
    errors: [whatsappErrors.channelNotFound, whatsappErrors.platformError],
  },
  "create-channel": {
    ...calls["create-channel"],
    description: `${calls["create-channel"].description} The account must have accepted the terms of channels on its phone.`,
    requests: newChannelRequests,
    reply: { ...channel, name: "Bakery news" },
    errors: [sharedErrors.invalidPictureUrl, sharedErrors.fileFromUrl, sharedErrors.compressImage, whatsappErrors.platformError],
  },
  "update-channel": {
    ...calls["update-channel"],
    parameters: { channelId: channel.id },
    requests: channelChangeRequests,
    reply: channel,
    errors: [
      sharedErrors.nothingToChange,
      sharedErrors.invalidPictureUrl,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
      whatsappErrors.channelNotFound,
      whatsappErrors.platformError,
    ],
  },
  "follow-channel": {
    ...calls["follow-channel"],
    description:
      "Follows a channel by its id or its link, and returns it. Following a channel again changes nothing. Rejects fields that it does not know.",
    requests: {
      id: { summary: "By its id", body: { channel: channel.id } },
      link: { summary: "By its link", body: { channel: "https://whatsapp.com/channel/0029VaSandboxChannel01" } },
    },
    reply: { ...channel, isOwner: false },
    errors: [whatsappErrors.invalidChannel, whatsappErrors.channelNotFound, whatsappErrors.platformError],
  },
  "leave-channel": {
    ...calls["leave-channel"],
    description:
      "Leaves a channel that the account follows. Leaving a channel again changes nothing. The owner of a channel cannot leave it. Rejects fields that it does not know.",
    requests: { id: { summary: "By its id", body: { channel: channel.id } } },
    reply: { id: channel.id },
    errors: [whatsappErrors.invalidChannel, whatsappErrors.channelNotFound, whatsappErrors.platformError],
  },
} satisfies Partial<Texts>;
