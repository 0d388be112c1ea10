import { callsOfBoth, channelChangeRequests, channelMessage, created, firstPage, newChannelRequests, nextPage } from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { ofChat, telegramErrors } from "./errors.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("Telegram");
const group = {
  id: "-1001000000001",
  name: "Sales",
  username: "sales_sandbox",
  description: "Orders and offers",
  picture: "",
  created,
};
const channel = { id: "-1002000000001", name: "Alice's news", username: "alice_news", picture: "", isOwner: true, created };
const links = "http://127.0.0.1:8080/telegram/media/6b01aa5342b4f53c9f4c7e33/-1002000000001/101";

export const listTexts = {
  "list-groups": {
    ...calls["list-groups"],
    description:
      "Returns all groups of the account. The gateway fetches descriptions and photos one by one, so the first response is slow for many groups.",
    reply: { docs: [group] },
    errors: [telegramErrors.platformError],
  },
  "list-group-members": {
    ...calls["list-group-members"],
    description: "Returns up to 10,000 members. If a group hides its members, only its administrators can list them.",
    parameters: { groupId: group.id },
    reply: { docs: [{ id: "5100000002", name: "Bob Builder", username: "bob_sandbox", phone: "15550100002" }] },
    errors: [telegramErrors.groupNotFound, ...ofChat],
  },
  "get-group": {
    ...calls["get-group"],
    parameters: { groupId: group.id },
    reply: group,
    errors: [telegramErrors.groupNotFound, ...ofChat],
  },
  "list-channels": {
    ...calls["list-channels"],
    description: "Returns all channels that the account follows or manages, without groups.",
    reply: { docs: [channel] },
    errors: [telegramErrors.platformError],
  },
  "list-channel-messages": {
    ...calls["list-channel-messages"],
    description: `Returns the newest messages first, with media as signed links. ${nextPage}`,
    parameters: { channelId: channel.id, ...firstPage },
    reply: {
      docs: [
        {
          ...channelMessage,
          channelId: channel.id,
          entities: [],
          albumId: "",
          edited: "",
          url: `${links}/photo/aTUb_LcflPGV6HtpS_dybURhJX6Y.jpg`,
          thumbnail: `${links}/thumb/aKbqdZUT2tdJ0VDWYbEL1TMyOht0.jpg`,
          name: "",
          duration: 0,
          width: 2560,
          height: 1920,
          title: "",
          performer: "",
        },
      ],
    },
    errors: [telegramErrors.channelNotFound, ...ofChat],
  },
  "get-channel": {
    ...calls["get-channel"],
    description: "Returns a channel that the account follows.",
    parameters: { channelId: channel.id },
    reply: channel,
    errors: [telegramErrors.channelNotFound, ...ofChat],
  },
  "create-channel": {
    ...calls["create-channel"],

    requests: newChannelRequests,
    reply: { ...channel, name: "Bakery news" },
    errors: [sharedErrors.invalidPictureUrl, sharedErrors.fileFromUrl, sharedErrors.compressImage, telegramErrors.platformError],
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
      telegramErrors.channelNotFound,
      ...ofChat,
    ],
  },
  "follow-channel": {
    ...calls["follow-channel"],
    description:
      "Joins a channel by its id, username or invite link, and returns it. Following a channel again changes nothing. If administrators approve new members, the platform answers `INVITE_REQUEST_SENT`, and the account joins when one of them approves. Rejects fields that it does not know.",
    requests: {
      id: { summary: "By its id", body: { channel: channel.id } },
      link: { summary: "By its link", body: { channel: "https://t.me/+AbCdEfGhIjKlMnOp" } },
    },
    reply: { ...channel, isOwner: false },
    errors: [telegramErrors.channelNotFound, ...ofChat],
  },
  "leave-channel": {
    ...calls["leave-channel"],
    description: "Leaves a channel that the account follows. The owner of a channel cannot leave it. Rejects fields that it does not know.",
    requests: { id: { summary: "By its id", body: { channel: channel.id } } },
    reply: { id: channel.id },
    errors: [telegramErrors.channelNotFound, ...ofChat],
  },
} satisfies Partial<Texts>;
