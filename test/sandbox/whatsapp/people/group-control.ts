import { ControlError } from "../../control/control-error.js";
import type { Fields } from "../../control/fields.js";
import type { Doc } from "../../control/platform-control.js";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { memberJid, participantNode } from "../iq/group-node.js";
import { tellMembers } from "../iq/group-news.js";
import { node, unixSeconds } from "../protocol/node.js";
import type { User } from "../whatsapp-backend.js";
import type { Account } from "../world/account.js";
import type { Group } from "../world/group.js";
import { nameOf } from "../world/person.js";
import type { PeopleTools } from "./people-control.js";

const memberChanges = ["add", "remove", "promote", "demote"] as const;

/**
 * Changes a group as its member `from` (default: its owner): `{account, chat, from?, add?, remove?, promote?, demote?, subject?,
 * announce?, locked?}`. A member who removes itself leaves. All devices of all members are notified.
 */
export function changeGroup(tools: PeopleTools, account: Account, fields: Fields): Doc {
  const { world, chats } = tools;
  const chat = chats.chat(account, fields);
  const group = world.group(chat);
  if (group === undefined) throw new ControlError(400, "chat must be a group");
  const from = fields.optionalText("from");
  const actor = from === undefined ? group.options.owner : chats.person(from, "from");
  const done: string[] = [];
  const tell = (change: BinaryNode, to: Iterable<User> = group.accounts()): void => {
    const pushName = world.accounts.ofPhone(actor.phone)?.pushName ?? nameOf(actor);
    tellMembers({ account: { ...actor, pushName }, tell: (users, made) => tools.otherSide.tell(users, made) }, group, change, to);
    done.push(change.tag);
  };
  for (const change of memberChanges) {
    const people = fields.texts(change).map((name) => chats.person(name, change));
    if (people.length === 0) continue;
    const before = [...group.accounts()];
    for (const user of people) changeMember(tools, group, change, user);
    const members = people.map((user) => participantNode(group, { user }));
    const others = [...group.accounts()].filter(({ phone }) => !before.some((known) => known.phone === phone));
    tell(node(change, {}, members), [...before, ...others]);
  }
  const subject = fields.optionalText("subject");
  if (subject !== undefined) {
    group.change({ subject });
    tell(node("subject", { subject, s_t: unixSeconds(), s_o: memberJid(group, actor) }));
  }
  for (const [field, on, off] of switches) {
    const value = fields.optionalFlag(field);
    if (value === undefined) continue;
    group.change({ [field]: value });
    tell(node(value ? on : off, field === "announce" ? { v_id: unixSeconds() } : {}));
  }
  if (done.length === 0) throw new ControlError(400, "nothing to change");
  world.changed("world");
  return { account: account.account, chatId: chat, changes: done };
}

const switches = [
  ["announce", "announcement", "not_announcement"],
  ["locked", "locked", "unlocked"],
] as const;

function changeMember({ world }: PeopleTools, group: Group, change: (typeof memberChanges)[number], user: User): void {
  const isThere = group.isIn(user);
  if (isThere === (change === "add")) throw new ControlError(409, isThere ? `${change}: already a member` : `${change}: not a member`);
  const chats = world.accounts.ofPhone(user.phone)?.groups;
  switch (change) {
    case "add":
      group.add(user);
      chats?.add(group.id);
      return;
    case "remove":
      group.remove(user);
      chats?.delete(group.id);
      return;
    case "promote":
      group.appoint(user, "admin");
      return;
    case "demote":
      group.appoint(user, undefined);
      return;
    default:
      change satisfies never;
  }
}
