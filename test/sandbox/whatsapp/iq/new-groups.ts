import { randomInt } from "node:crypto";
import { child, children, node, unixSeconds } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import { newGroup } from "../world/group.js";
import { userOfJid } from "../world/jid.js";
import type { World } from "../world/world.js";
import { mayBeAdded, refusedNode } from "./group-members.js";
import { groupNode, participantNode } from "./group-node.js";
import { tellMembers } from "./group-news.js";
import { ownGroup } from "./groups.js";
import type { IqHandler } from "./iq-request.js";

/** Characters; a longer subject gets 406 (whatsmeow's group.go, ReqCreateGroup). */
const maxSubject = 100;
/** People in one creation request. */
const maxPeople = 1_023;

/** Creates a group that the account owns. Numbers without a user are skipped. Only the response names people who may not be added. */
export const createGroup: IqHandler = (request) => {
  const { world, account, query } = request;
  const subject = checkedSubject(query?.attrs.subject ?? "");
  const named = children(query, "participant").flatMap(({ attrs }) => userOfJid(attrs.jid ?? "") ?? []);
  const people = [...new Map(named.map((user) => [user.phone, user])).values()].filter(({ phone }) => phone !== account.phone);
  if (people.length > maxPeople) throw new IqFault(406, "not-acceptable");
  const created = Number(unixSeconds());
  const group = newGroup({ id: freeId(world), owner: { phone: account.phone, lid: account.lid }, created });
  group.change({ subject, announce: child(query, "announcement") !== undefined, locked: child(query, "locked") !== undefined });
  group.change({ approval: child(child(query, "membership_approval_mode"), "group_join")?.attrs.state === "on" });
  const refused = people.filter((user) => !mayBeAdded(world, account, user));
  for (const user of people) if (!refused.includes(user)) group.add(user);
  world.addGroup(group);
  world.changed("world");
  tellMembers(request, group, node("create", { type: "new", key: query?.attrs.key }, [groupNode(group)]));
  const made = groupNode(group);
  return [node("group", made.attrs, [...children(made), ...refused.map((user) => refusedNode(group, user, 403))])];
};

export const leaveGroup: IqHandler = (request) => {
  const left = children(request.query, "group").map(({ attrs }) => ownGroup(request, attrs.id));
  if (left.length === 0) throw new IqFault(400, "bad-request");
  for (const group of left) {
    const before = [...group.accounts()];
    group.remove(request.account);
    request.account.groups.delete(group.id);
    tellMembers(request, group, node("remove", {}, [participantNode(group, { user: request.account })]), before);
  }
  request.world.changed("world");
  return [
    node(
      "leave",
      {},
      left.map(({ id }) => node("group", { id })),
    ),
  ];
};

export function checkedSubject(subject: string): string {
  if (subject === "" || [...subject].length > maxSubject) throw new IqFault(406, "not-acceptable");
  return subject;
}

function freeId(world: World): string {
  for (;;) {
    const id = `12036340${String(randomInt(10 ** 10)).padStart(10, "0")}@g.us`;
    if (world.group(id) === undefined) return id;
  }
}
