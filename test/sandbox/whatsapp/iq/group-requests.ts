import type { BinaryNode } from "@whiskeysockets/baileys";
import { child, children, node, unixSeconds } from "../protocol/node.js";
import { IqFault, type IqAnswer, type User } from "../whatsapp-backend.js";
import type { Group } from "../world/group.js";
import { userOfJid } from "../world/jid.js";
import { personOf } from "../world/person.js";
import { administered } from "./group-members.js";
import { approvalNode, memberJid, participantNode } from "./group-node.js";
import { tellMembers } from "./group-news.js";
import type { IqHandler, IqRequest } from "./iq-request.js";

/** Sets whether administrators must approve people who join by a link. Pending requests stay pending either way. */
export const setApproval: IqHandler = (request) => {
  const group = administered(request);
  const state = child(request.query, "group_join")?.attrs.state;
  if (state !== "on" && state !== "off") throw new IqFault(400, "bad-request");
  group.change({ approval: state === "on" });
  request.world.changed("world");
  tellMembers(request, group, approvalNode(group.approval));
  return undefined;
};

/** Returns only the group's id, and adds the account to the pending requests. */
export function askToBeLetIn(request: IqRequest, group: Group): IqAnswer {
  group.ask(request.account, Number(unixSeconds()));
  request.world.changed("world");
  tellMembers(request, group, node("created_membership_requests", { request_method: "invite_link" }), adminsOf(group));
  return [node("membership_approval_request", { jid: group.id })];
}

export const requests: IqHandler = (request) => {
  const group = administered(request);
  const asking = [...group.asking()].map(([phone, at]) =>
    node("membership_approval_request", {
      ...{ jid: memberJid(group, personOf(phone)), request_time: String(at), request_method: "invite_link" },
    }),
  );
  return [node("membership_approval_requests", {}, asking)];
};

/** Approves or rejects each request; 404 for a person without a request. */
export const answerRequests: IqHandler = (request) => {
  const group = administered(request);
  const action = child(request.query);
  if (action === undefined || !["approve", "reject"].includes(action.tag)) throw new IqFault(400, "bad-request");
  const done: User[] = [];
  const answers = children(action, "participant").map(({ attrs: { jid = "" } }): BinaryNode => {
    const user = userOfJid(jid);
    if (user === undefined || !group.refuse(user)) return node("participant", { jid, error: "404" });
    done.push(user);
    return node("participant", { jid: memberJid(group, user) });
  });
  if (action.tag === "approve") letIn(request, group, done);
  else if (done.length > 0) tellMembers(request, group, node("revoked_membership_requests", {}, named(group, done)), adminsOf(group));
  request.world.changed("world");
  return [node("membership_requests_action", {}, [node(action.tag, {}, answers)])];
};

function letIn(request: IqRequest, group: Group, users: readonly User[]): void {
  if (users.length === 0) return;
  for (const user of users) {
    group.add(user);
    request.world.accounts.ofPhone(user.phone)?.groups.add(group.id);
  }
  tellMembers(request, group, node("add", {}, named(group, users)));
}

function named(group: Group, users: readonly User[]): BinaryNode[] {
  return users.map((user) => participantNode(group, { user }));
}

function adminsOf(group: Group): User[] {
  return [...group.accounts()].filter((user) => group.adminKind(user) !== undefined);
}
