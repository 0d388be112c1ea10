import { node } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import type { Group } from "../world/group.js";
import type { World } from "../world/world.js";
import { administered } from "./group-members.js";
import { groupNode, participantNode } from "./group-node.js";
import { tellMembers } from "./group-news.js";
import { askToBeLetIn } from "./group-requests.js";
import type { IqHandler } from "./iq-request.js";

/**
 * Returns or replaces a group's link (401 for members), or opens or joins a linked group (410 for a revoked link, 406 for an unknown one).
 * Codes as whatsmeow's group.go reads them (GetGroupInviteLink, GetGroupInfoFromLink).
 */
export const groupInvite: IqHandler = (request) => {
  const { stanza, query, world, account } = request;
  const wants = stanza.attrs.type === "set";
  const code = query?.attrs.code;
  if (code === undefined) {
    const group = administered(request, 401, "not-authorized");
    if (wants) {
      group.revokeInvite();
      world.changed("world");
      tellMembers(request, group, node("invite", { code: group.inviteCode }));
    }
    return [node("invite", { code: group.inviteCode })];
  }
  const group = invitedTo(world, code);
  if (!wants) return [groupNode(group)];
  if (group.has(account)) throw new IqFault(409, "conflict");
  if (group.approval) return askToBeLetIn(request, group);
  const user = { phone: account.phone, lid: account.lid };
  group.add(user);
  account.groups.add(group.id);
  world.changed("world");
  tellMembers(request, group, node("add", { reason: "invite" }, [participantNode(group, { user })]));
  return [node("group", { jid: group.id })];
};

function invitedTo(world: World, code: string): Group {
  const judged = [...world.allGroups()].map((group) => ({ group, is: group.judgeInvite(code) }));
  const open = judged.find(({ is }) => is === "open");
  if (open !== undefined) return open.group;
  throw judged.some(({ is }) => is === "revoked") ? new IqFault(410, "gone") : new IqFault(406, "not-acceptable");
}
