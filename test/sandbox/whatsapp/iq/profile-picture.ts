import { bytesOf, node, stanzaId, unixSeconds } from "../protocol/node.js";
import { type IqAnswer, IqFault } from "../whatsapp-backend.js";
import { jidOf, kindOfChat, userOfJid } from "../world/jid.js";
import type { Picture } from "../world/group.js";
import type { World } from "../world/world.js";
import { ownGroup } from "./groups.js";
import type { IqHandler, IqRequest } from "./iq-request.js";

/** Sets the account's or a group's picture to one of the sandbox's, whatever the upload is. A request without a picture removes it. */
function setPicture(request: IqRequest): IqAnswer {
  const { world, stanza, query, account } = request;
  const { target } = stanza.attrs;
  if (target !== undefined && kindOfChat(target) !== "group" && userOfJid(target)?.phone !== account.phone)
    throw new IqFault(403, "forbidden");
  const chat = target ?? jidOf(account);
  const group = kindOfChat(chat) === "group" ? ownGroup(request, chat) : undefined;
  if (group?.locked === true && group.adminKind(account) === undefined) throw new IqFault(403, "forbidden");
  const image = bytesOf(query);
  if (query !== undefined && image?.subarray(0, 2).toString("hex") !== jpegStart) throw new IqFault(406, "not-acceptable");
  const version = world.changePicture(chat, query === undefined ? "remove" : "set");
  const id = String(world.startedAt + version);
  const author = jidOf(account);
  const change = query === undefined ? node("delete", { jid: chat, author }) : node("set", { jid: chat, id, author });
  request.tell(group?.accounts() ?? [account], () =>
    node("notification", { from: chat, type: "picture", id: stanzaId(), t: unixSeconds() }, [change]),
  );
  return query === undefined ? undefined : [node("picture", { id })];
}

const jpegStart = "ffd8";

/** Returns a picture's address; 404 if there is none, 401 if the account may not see it. */
export const profilePicture: IqHandler = (request) => {
  const { world, stanza, query, mediaHost } = request;
  if (stanza.attrs.type === "set") return setPicture(request);
  const target = stanza.attrs.target ?? "";
  const picture = pictureOf(world, target);
  if (picture === "none") throw new IqFault(404, "item-not-found");
  if (picture === "denied") throw new IqFault(401, "not-authorized");
  const type = query?.attrs.type === "image" ? "image" : "preview";
  const version = world.pictures.get(target) ?? 0;
  const path = `/pictures/${encodeURIComponent(target)}/${version}/${type}.jpg`;
  return [node("picture", { id: String(world.startedAt + version), type, url: `https://${mediaHost()}${path}`, direct_path: path })];
};

/** Every fifth person has no picture, and every eleventh hides it from all others. */
export function pictureOf(world: World, target: string): Picture {
  const version = world.pictures.get(target);
  if (version !== undefined) return version > 0 ? "shown" : "none";
  if (kindOfChat(target) === "group") return world.group(target)?.options.picture ?? "none";
  const user = userOfJid(target);
  if (user === undefined) return "none";
  const n = Number(user.phone.slice(-9));
  if (n % 11 === 10) return "denied";
  return n % 5 === 4 ? "none" : "shown";
}
