import { node } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import { kindOfChat, userOfJid } from "../world/jid.js";
import type { Picture } from "../world/group.js";
import type { World } from "../world/world.js";
import type { IqHandler } from "./iq-request.js";

/** Address of a picture: 404 when there is none, 401 when it is not shown to the account. */
export const profilePicture: IqHandler = ({ world, stanza, query, mediaHost }) => {
  const target = stanza.attrs.target ?? "";
  const picture = pictureOf(world, target);
  if (picture === "none") throw new IqFault(404, "item-not-found");
  if (picture === "denied") throw new IqFault(401, "not-authorized");
  const type = query?.attrs.type === "image" ? "image" : "preview";
  const version = world.pictures.get(target) ?? 0;
  const path = `/pictures/${encodeURIComponent(target)}/${version}/${type}.jpg`;
  return [node("picture", { id: String(world.startedAt + version), type, url: `https://${mediaHost()}${path}`, direct_path: path })];
};

/** Of people every fifth has none, and every eleventh shows it to nobody. */
export function pictureOf(world: World, target: string): Picture {
  if (world.pictures.has(target)) return "shown";
  if (kindOfChat(target) === "group") return world.group(target)?.options.picture ?? "none";
  const user = userOfJid(target);
  if (user === undefined) return "none";
  const n = Number(user.phone.slice(-9));
  if (n % 11 === 10) return "denied";
  return n % 5 === 4 ? "none" : "shown";
}
