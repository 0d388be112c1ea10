import { bytesOf, child, node, stanzaId, unixSeconds } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import type { Group } from "../world/group.js";
import { administered } from "./group-members.js";
import { descriptionNode, expirationNode, memberAddNode, memberJid } from "./group-node.js";
import { tellMembers } from "./group-news.js";
import { ownGroup } from "./groups.js";
import type { IqHandler, IqRequest } from "./iq-request.js";
import { checkedSubject } from "./new-groups.js";

export const setSubject: IqHandler = (request) => {
  const group = described(request);
  const subject = checkedSubject(bytesOf(request.query)?.toString() ?? "");
  group.change({ subject });
  request.world.changed("world");
  const by = { s_t: unixSeconds(), s_o: memberJid(group, request.account) };
  tellMembers(request, group, node("subject", { subject, ...by }));
  return undefined;
};

/**
 * `prev` is the id of the replaced description; a stale one is a conflict. Without an `id` (whatsmeow's SetGroupDescription), any
 * description is replaced.
 */
export const setDescription: IqHandler = (request) => {
  const { query, account } = request;
  const group = described(request);
  const { id, prev } = query?.attrs ?? {};
  const text = query?.attrs.delete === "true" ? "" : bytesOf(child(query, "body"))?.toString();
  if (text === undefined) throw new IqFault(400, "bad-request");
  const isReplaced = text !== "" && id === undefined;
  if (text.length > maxDescription) throw new IqFault(406, "not-acceptable");
  if (!isReplaced && group.description.text !== "" && prev !== group.description.id) throw new IqFault(409, "conflict");
  group.change({
    description: {
      id: id ?? (isReplaced ? stanzaId() : ""),
      text,
      at: Number(unixSeconds()),
      by: { phone: account.phone, lid: account.lid },
    },
  });
  request.world.changed("world");
  tellMembers(request, group, text === "" ? node("description", { delete: "true" }) : descriptionNode(group));
  return undefined;
};

/** Sets who may write, or who may change the group's description: all members or only administrators. */
export const setWho: IqHandler = (request) => {
  const group = administered(request);
  const tag = request.query?.tag ?? "";
  group.change(switches[tag] ?? {});
  request.world.changed("world");
  // whatsmeow drops a notification without the version (group.go, parseGroupChange).
  const version = tag.endsWith("announcement") ? { v_id: unixSeconds() } : {};
  tellMembers(request, group, node(tag, version));
  return undefined;
};

/** Sets who may add people: all members or only administrators (whatsmeow's SetGroupMemberAddMode). */
export const setMemberAdd: IqHandler = (request) => {
  const group = administered(request);
  const mode = bytesOf(request.query)?.toString();
  if (mode !== "all_member_add" && mode !== "admin_add") throw new IqFault(400, "bad-request");
  group.change({ memberAdd: mode === "all_member_add" });
  request.world.changed("world");
  tellMembers(request, group, memberAddNode(group.memberAdd));
  return undefined;
};

/** Sets the lifetime of the group's messages. */
export const setExpiration: IqHandler = (request) => {
  const group = described(request);
  const seconds = request.query?.tag === "ephemeral" ? Number(request.query.attrs.expiration) : 0;
  if (!timers.includes(seconds)) throw new IqFault(400, "bad-request");
  changeExpiration(request, group, seconds);
  return undefined;
};

export function changeExpiration(request: Pick<IqRequest, "world" | "account" | "tell">, group: Group, seconds: number): void {
  group.change({ expiration: seconds });
  request.world.changed("world");
  tellMembers(request, group, expirationNode(seconds));
}

/** Seconds: off, one day, one week, 90 days. */
export const timers: readonly number[] = [0, 86_400, 604_800, 7_776_000];

const switches: Readonly<Record<string, Partial<Pick<Group, "announce" | "locked">>>> = {
  announcement: { announce: true },
  not_announcement: { announce: false },
  locked: { locked: true },
  unlocked: { locked: false },
};

/** UTF-16 units. */
const maxDescription = 2_048;

function described(request: IqRequest): Group {
  const group = ownGroup(request);
  return group.locked ? administered(request) : group;
}
