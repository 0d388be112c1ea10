import { node } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import type { Group } from "../world/group.js";
import { groupNode } from "./group-node.js";
import type { IqHandler, IqRequest } from "./iq-request.js";

/** All groups that the account is in, with their members. */
export const participatingGroups: IqHandler = ({ world, account }) => {
  const groups = [...world.opened(account).groups].flatMap((id) => world.group(id) ?? []).filter((group) => group.has(account));
  return [node("groups", {}, groups.map(groupNode))];
};

export const groupInfo: IqHandler = (request) => [groupNode(ownGroup(request))];

/** 404 when there is none of that id, 403 when the account is not in it. */
export function ownGroup({ world, account, stanza }: IqRequest, id = stanza.attrs.to ?? ""): Group {
  const group = world.group(id);
  if (group === undefined) throw new IqFault(404, "item-not-found");
  if (!group.has(account)) throw new IqFault(403, "forbidden");
  return group;
}
