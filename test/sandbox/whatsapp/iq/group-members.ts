import type { BinaryNode } from "@whiskeysockets/baileys";
import { children, node, stanzaId, unixSeconds } from "../protocol/node.js";
import { IqFault, type User } from "../whatsapp-backend.js";
import type { Group } from "../world/group.js";
import { userOfJid } from "../world/jid.js";
import type { World } from "../world/world.js";
import { memberJid, participantNode } from "./group-node.js";
import { tellMembers } from "./group-news.js";
import { ownGroup } from "./groups.js";
import type { IqHandler, IqRequest } from "./iq-request.js";

/** Applies a change to one member. Returns an error code, which the response puts on that member, or `undefined`. */
type Change = (group: Group, user: User, request: IqRequest) => number | undefined;

const notThere = 404;
const alreadyThere = 409;
const notAllowed = 403;

const add: Change = (group, user, { world, account }) => {
  if (group.isIn(user)) return alreadyThere;
  if (!mayBeAdded(world, account, user)) return notAllowed;
  group.add(user);
  world.accounts.ofPhone(user.phone)?.groups.add(group.id);
  return undefined;
};

const remove: Change = (group, user, { world }) => {
  if (!group.isIn(user)) return notThere;
  if (group.adminKind(user) === "superadmin") return notAllowed;
  group.remove(user);
  world.accounts.ofPhone(user.phone)?.groups.delete(group.id);
  return undefined;
};

const appoint =
  (admin: "admin" | undefined): Change =>
  (group, user) => {
    if (!group.isIn(user)) return notThere;
    if (group.adminKind(user) === "superadmin") return notAllowed;
    group.appoint(user, admin);
    return undefined;
  };

/** Returns a handler for administrators only. The response lists each member, and removed members are notified as well. */
function changing(change: Change, groupOf: (request: IqRequest) => Group = administered): IqHandler {
  return (request) => {
    const { query } = request;
    const group = groupOf(request);
    const named = children(query, "participant");
    if (query === undefined || named.length === 0) throw new IqFault(400, "bad-request");
    const before = [...group.accounts()];
    const done: BinaryNode[] = [];
    const answers = named.map(({ attrs: { jid = "" } }) => {
      const user = userOfJid(jid);
      const error = user === undefined ? notThere : change(group, user, request);
      if (user === undefined || error !== undefined)
        return user === undefined ? node("participant", { jid, error: String(error) }) : refusedNode(group, user, error ?? notThere);
      const told = participantNode(group, { user });
      done.push(told);
      return told;
    });
    if (done.length > 0) {
      request.world.changed("world");
      tellMembers(request, group, node(query.tag, {}, done), union(before, group.accounts()));
    }
    return [node(query.tag, {}, answers)];
  };
}

/** Members may add people if the group allows it. */
export const addMembers = changing(add, (request) => {
  const group = ownGroup(request);
  return group.memberAdd ? group : administered(request);
});
export const removeMembers = changing(remove);
export const promoteMembers = changing(appoint("admin"));
export const demoteMembers = changing(appoint(undefined));

/** Returns the group if the account administers it, or throws. */
export function administered(request: IqRequest, code = 403, text = "forbidden"): Group {
  const group = ownGroup(request);
  if (group.adminKind(request.account) === undefined) throw new IqFault(code, text);
  return group;
}

/** False if the person's settings do not let this account add them to groups. */
export function mayBeAdded(world: World, by: User, { phone }: User): boolean {
  const other = world.accounts.ofPhone(phone);
  const rule = other && world.opened(other).privacy.get("groupadd");
  return rule === "contacts" || rule === "contact_blacklist" ? other?.contacts.has(by.phone) === true : rule !== "none";
}

/** A refusal for privacy has a code with which the person may join (whatsmeow's GroupParticipantAddRequest). */
export function refusedNode(group: Group, user: User, error: number): BinaryNode {
  const expiration = String(Number(unixSeconds()) + requestSeconds);
  const request = error === notAllowed ? [node("add_request", { code: stanzaId(), expiration })] : [];
  return node("participant", { jid: memberJid(group, user), error: String(error) }, request);
}

const requestSeconds = 3 * 86_400;

function union(...lists: readonly Iterable<User>[]): Iterable<User> {
  return new Map(lists.flatMap((users) => [...users].map((user) => [user.phone, user] as const))).values();
}
