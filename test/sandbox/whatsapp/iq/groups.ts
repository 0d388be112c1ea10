import { node } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import type { Group } from "../world/group.js";
import { groupNode } from "./group-node.js";
import type { IqHandler, IqRequest } from "./iq-request.js";

/** Returns all groups of the account with their members. */
export const participatingGroups: IqHandler = ({ world, account }) => {
  const groups = [...world.opened(account).groups].flatMap((id) => world.group(id) ?? []).filter((group) => group.has(account));
  return [node("groups", {}, groups.map(groupNode))];
};

export const groupInfo: IqHandler = (request) => [groupNode(ownGroup(request))];

/** Returns the group. Throws 404 if no group has this id and 403 if the account is not a member. */
export function ownGroup({ world, account, stanza }: IqRequest, id = stanza.attrs.to ?? ""): Group {
  const group = world.group(id);
  if (group === undefined) throw new IqFault(404, "item-not-found");
  if (!group.has(account)) throw new IqFault(403, "forbidden");
  return group;
}
