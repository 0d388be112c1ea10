import { businessProfile } from "./business-profile.js";
import { channelMessages, liveUpdates } from "./channel-messages.js";
import { groupInfo, participatingGroups } from "./groups.js";
import type { IqHandler } from "./iq-request.js";
import { mediaConnection } from "./media-connection.js";
import { mex } from "./mex.js";
import { blocklist, changeBlocklist, privacySettings, statusPrivacy } from "./privacy.js";
import { profilePicture } from "./profile-picture.js";
import { props } from "./props.js";
import { usync } from "./usync.js";

/** By `StanzaKind` without "iq ", with the stanza's type where get and set differ. What is not here gets an empty result, as much of the platform's own traffic does. */
export const iqAnswers: Readonly<Record<string, IqHandler>> = {
  "usync usync": usync,
  "abt props": props,
  "w props": props,
  blocklist: blocklist,
  "blocklist item": changeBlocklist,
  "privacy privacy": privacySettings,
  "status privacy": statusPrivacy,
  "w:biz business_profile": businessProfile,
  "w:g2 participating": participatingGroups,
  "w:g2 query": groupInfo,
  "w:profile:picture picture": profilePicture,
  "w:m media_conn": mediaConnection,
  "w:mex query": mex,
  "newsletter messages": channelMessages,
  "newsletter message_updates": channelMessages,
  "newsletter live_updates": liveUpdates,
};
