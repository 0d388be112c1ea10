import type { BinaryNode } from "@whiskeysockets/baileys";
import { node } from "../protocol/node.js";
import type { User } from "../whatsapp-backend.js";
import type { Group, GroupMember } from "../world/group.js";
import { jidOf } from "../world/jid.js";

/** Returns the group as its members see it. */
export function groupNode(group: Group): BinaryNode {
  const { id, created, owner, addressing } = group.options;
  const { subject, description, announce, locked, approval, memberAdd, expiration } = group;
  const at = created === undefined ? {} : { creation: String(created), s_t: String(created) };
  const by = memberJid(group, owner);
  return node(
    "group",
    { id: id.replace("@g.us", ""), subject, ...at, creator: by, s_o: by, size: String(group.size), addressing_mode: addressing },
    [
      ...(description.text === "" ? [] : [descriptionNode(group)]),
      ...(announce ? [node("announcement", { v_id: String(created ?? 1) })] : []),
      ...(locked ? [node("locked")] : []),
      ...(approval ? [approvalNode(approval)] : []),
      memberAddNode(memberAdd),
      ...(expiration > 0 ? [expirationNode(expiration)] : []),
      ...[...group.members()].map((member) => participantNode(group, member)),
    ],
  );
}

export function approvalNode(on: boolean): BinaryNode {
  return node("membership_approval_mode", {}, [node("group_join", { state: on ? "on" : "off" })]);
}

export function memberAddNode(byAll: boolean): BinaryNode {
  return node("member_add_mode", {}, Buffer.from(byAll ? "all_member_add" : "admin_add"));
}

export function expirationNode(seconds: number): BinaryNode {
  return seconds > 0 ? node("ephemeral", { expiration: String(seconds), trigger: "1" }) : node("not_ephemeral");
}

export function descriptionNode(group: Group): BinaryNode {
  const { id, text, at, by } = group.description;
  return node("description", { id, t: String(at), participant: memberJid(group, by) }, [node("body", {}, Buffer.from(text))]);
}

export function participantNode(group: Group, { user, admin }: GroupMember): BinaryNode {
  return node("participant", { jid: memberJid(group, user), ...otherJid(group, user), type: admin });
}

/** Returns the member's number JID or LID, as the group addresses its members. */
export function memberJid({ options: { addressing } }: Group, user: User): string {
  return addressing === "lid" ? `${user.lid}@lid` : jidOf(user);
}

/** A group that hides numbers shows only LIDs. */
function otherJid({ options: { addressing, hidden } }: Group, user: User): Record<string, string> {
  if (addressing === "pn") return { lid: `${user.lid}@lid` };
  return hidden ? {} : { phone_number: jidOf(user) };
}
