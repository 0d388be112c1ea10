import type { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import { entitiesFit } from "../tl/entities.js";

/** Characters, not UTF-16 units. */
export const maxText = 4_096;
export const maxCaption = 1_024;
const maxStoryCaption = 2_048;

/** Throws the platform's error for an invalid text, caption or story caption. */
export function checkText(text: string, entities: Api.TypeMessageEntity[] | undefined, role: "text" | "caption" | "story"): void {
  if (role === "text" && text.trim() === "") throw new RpcFault(400, "MESSAGE_EMPTY");
  const limit = role === "text" ? maxText : role === "caption" ? maxCaption : maxStoryCaption;
  if (Array.from(text).length > limit) throw new RpcFault(400, role === "text" ? "MESSAGE_TOO_LONG" : "MEDIA_CAPTION_TOO_LONG");
  if (!entitiesFit(text, entities)) throw new RpcFault(400, "ENTITY_BOUNDS_INVALID");
}
