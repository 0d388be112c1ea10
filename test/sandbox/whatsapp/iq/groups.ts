import type { BinaryNode } from "@whiskeysockets/baileys";
import { node } from "../protocol/node.js";
import { IqFault, type User } from "../whatsapp-backend.js";
import type { Group } from "../world/group.js";
import { jidOf } from "../world/jid.js";
import type { IqHandler } from "./iq-request.js";

/** All groups that the account is in, with their members. */
export const participatingGroups: IqHandler = ({ world, account }) => {
  const groups = [...world.opened(account).groups].flatMap((id) => world.group(id) ?? []).filter((group) => group.has(account));
  return [node("groups", {}, groups.map(groupNode))];
};

/** One group: 404 when there is none of that id, 403 when the account is not in it. */
export const groupInfo: IqHandler = ({ world, account, stanza }) => {
  const group = world.group(stanza.attrs.to ?? "");
  if (group === undefined) throw new IqFault(404, "item-not-found");
  if (!group.has(account)) throw new IqFault(403, "forbidden");
  return [groupNode(group)];
};

function groupNode(group: Group): BinaryNode {
  const { id, subject, description, created, owner, addressing, hidden, announce } = group.options;
  const at = created === undefined ? {} : { creation: String(created), s_t: String(created) };
  const jid = (user: User): string => (addressing === "lid" ? `${user.lid}@lid` : jidOf(user));
  const members = [...group.members()].map(({ user, admin }) =>
    node("participant", { jid: jid(user), ...otherJid(user, addressing, hidden), ...(admin && { type: admin }) }),
  );
  return node(
    "group",
    {
      id: id.replace("@g.us", ""),
      subject,
      ...at,
      creator: jid(owner),
      s_o: jid(owner),
      size: String(group.size),
      addressing_mode: addressing,
    },
    [
      ...(description === ""
        ? []
        : [
            node("description", { id: "D1", t: String(created ?? 0), participant: jid(owner) }, [
              node("body", {}, Buffer.from(description)),
            ]),
          ]),
      ...(announce ? [node("announcement")] : []),
      ...members,
    ],
  );
}

/** In a group that hides numbers nothing but the LID is shown. */
function otherJid(user: User, addressing: "pn" | "lid", hidden: boolean): Record<string, string> {
  if (addressing === "pn") return { lid: `${user.lid}@lid` };
  return hidden ? {} : { phone_number: jidOf(user) };
}
