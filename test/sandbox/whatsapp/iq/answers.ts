import { businessProfile } from "./business-profile.js";
import { channelMessages, liveUpdates } from "./channel-messages.js";
import { groupInvite } from "./group-invites.js";
import { addMembers, demoteMembers, promoteMembers, removeMembers } from "./group-members.js";
import { answerRequests, requests, setApproval } from "./group-requests.js";
import { setDescription, setExpiration, setMemberAdd, setSubject, setWho } from "./group-settings.js";
import { groupInfo, participatingGroups } from "./groups.js";
import type { IqHandler } from "./iq-request.js";
import { mediaConnection } from "./media-connection.js";
import { mex } from "./mex.js";
import { createGroup, leaveGroup } from "./new-groups.js";
import { setAbout } from "./about.js";
import { blocklist, changeBlocklist, privacySettings, statusPrivacy } from "./privacy.js";
import { profilePicture } from "./profile-picture.js";
import { props } from "./props.js";
import { usync } from "./usync.js";

/** Accepts reports that need no content in the response. */
const taken: IqHandler = () => undefined;

/** Kinds that only read. Setting the same values is not simulated. */
const questions = new Set([
  ...["usync usync", "abt props", "w props", "blocklist", "privacy privacy", "status privacy", "w:biz business_profile"],
  ...["w:g2 participating", "w:g2 query", "newsletter messages", "newsletter message_updates"],
]);

/** Returns the handler for the IQ's namespace and first child tag, or `undefined` if the sandbox does not simulate it. */
export function handlerOf(kind: string, type: string | undefined): IqHandler | undefined {
  if (type === "set" && questions.has(kind)) return undefined;
  return Object.hasOwn(iqAnswers, kind) ? iqAnswers[kind] : undefined;
}

/** Keys: `StanzaKind` without "iq ". */
const iqAnswers: Readonly<Record<string, IqHandler>> = {
  "usync usync": usync,
  "abt props": props,
  "w props": props,
  blocklist: blocklist,
  "blocklist item": changeBlocklist,
  "privacy privacy": privacySettings,
  "privacy tokens": taken,
  "w:stats add": taken,
  "status privacy": statusPrivacy,
  "w:biz business_profile": businessProfile,
  "w:g2 create": createGroup,
  "w:g2 leave": leaveGroup,
  "w:g2 add": addMembers,
  "w:g2 remove": removeMembers,
  "w:g2 promote": promoteMembers,
  "w:g2 demote": demoteMembers,
  "w:g2 subject": setSubject,
  "w:g2 description": setDescription,
  "w:g2 announcement": setWho,
  "w:g2 not_announcement": setWho,
  "w:g2 ephemeral": setExpiration,
  "w:g2 not_ephemeral": setExpiration,
  "w:g2 locked": setWho,
  "w:g2 unlocked": setWho,
  "w:g2 member_add_mode": setMemberAdd,
  "w:g2 membership_approval_mode": setApproval,
  "w:g2 membership_approval_requests": requests,
  "w:g2 membership_requests_action": answerRequests,
  "w:g2 invite": groupInvite,
  "w:g2 participating": participatingGroups,
  "w:g2 query": groupInfo,
  "w:profile:picture picture": profilePicture,
  "w:profile:picture": profilePicture,
  "status status": setAbout,
  "w:m media_conn": mediaConnection,
  "w:mex query": mex,
  "newsletter messages": channelMessages,
  "newsletter message_updates": channelMessages,
  "newsletter live_updates": liveUpdates,
};
