import { Api } from "telegram";
import type { GroupSettings } from "../../../shared/contract/group-change.js";

/** Everything that a member may send. The platform checks each right apart. */
const sending = [
  ...(["sendMessages", "sendMedia", "sendStickers", "sendGifs", "sendGames", "sendInline", "embedLinks", "sendPolls"] as const),
  ...(["sendPhotos", "sendVideos", "sendRoundvideos", "sendAudios", "sendVoices", "sendDocs", "sendPlain"] as const),
] as const;
const others = ["viewMessages", "changeInfo", "inviteUsers", "pinMessages", "manageTopics"] as const;

/**
 * Returns what members without administrator rights may not do, after these settings; `undefined` if no setting is about their rights.
 * Restrictions of single kinds of messages stay, unless `announce` ends.
 */
export function changedRights(
  current: Api.TypeChatBannedRights | undefined,
  { announce, locked, memberAdd }: GroupSettings,
): Api.ChatBannedRights | undefined {
  if (announce === undefined && locked === undefined && memberAdd === undefined) return undefined;
  const banned = new Set<(typeof sending | typeof others)[number]>([...sending, ...others].filter((right) => current?.[right] === true));
  if (announce === true) for (const right of sending) banned.add(right);
  if (announce === false && banned.has("sendMessages")) for (const right of sending) banned.delete(right);
  if (locked !== undefined) banned[locked ? "add" : "delete"]("changeInfo");
  if (memberAdd !== undefined) banned[memberAdd ? "delete" : "add"]("inviteUsers");
  return new Api.ChatBannedRights({ untilDate: 0, ...Object.fromEntries([...banned].map((right) => [right, true])) });
}
