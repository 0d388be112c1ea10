import { Api } from "telegram";
import { ControlError } from "../control/control-error.js";
import type { Fields } from "../control/fields.js";
import type { Doc } from "../control/platform-control.js";
import type { PeopleControl } from "./people-control.js";
import { Cast } from "./tl/cast.js";
import type { Account } from "./world/account.js";
import type { BasicGroup, Channel } from "./world/chat.js";
import { long, type MarkedId, unixNow, unmark } from "./world/ids.js";
import { sees } from "./world/made-chats.js";
import type { ServiceAction } from "./world/service-action.js";

/**
 * Changes a group or supergroup as its member `from`: `{account, chat, from?, add?, remove?, promote?, demote?, subject?}`. A member who
 * removes itself leaves. Only basic groups notify their members of a new administrator.
 */
export function changeGroup(people: PeopleControl, account: Account, fields: Fields): Doc {
  const { world, delivery } = people;
  const peer = people.chat(account, fields);
  const { kind, id } = unmark(peer);
  const group = kind === "chat" ? world.chats.group(id) : kind === "channel" ? world.chats.channel(id) : undefined;
  if (group === undefined || (group.kind === "channel" && group.broadcast)) throw new ControlError(400, "chat must be a group");
  const actor = people.author(account, peer, fields);
  const done: string[] = [];
  const write = (change: string, action: ServiceAction, audience: readonly number[] = membersOf(group)): void => {
    delivery.receive(account, peer, actor, { text: "", action, audience });
    done.push(change);
  };
  const added = fields.texts("add").map((name) => people.person(name));
  for (const userId of added) enter(people, group, peer, userId);
  if (added.length > 0) write("add", { kind: "added", userIds: added });
  for (const name of fields.texts("remove")) {
    const userId = people.person(name);
    const before = membersOf(group);
    leave(group, userId);
    write("remove", { kind: "removed", userId }, before);
  }
  for (const change of ["promote", "demote"] as const)
    for (const name of fields.texts(change)) {
      appoint(people, group, people.person(name), change === "promote");
      done.push(change);
    }
  const subject = fields.optionalText("subject");
  if (subject !== undefined) {
    group.title = subject;
    write("subject", { kind: "renamed", title: subject });
  }
  if (done.length === 0) throw new ControlError(400, "nothing to change");
  group.changed = true;
  world.changed("world");
  return { account: account.account, chatId: String(peer), changes: done };
}

function membersOf(group: BasicGroup | Channel): number[] {
  return [...(group.kind === "group" ? group.members : group.joined).keys()];
}

function enter({ world }: PeopleControl, group: BasicGroup | Channel, peer: MarkedId, userId: number): void {
  if (group.kind === "group") {
    group.members.set(userId, unixNow());
    group.version++;
  } else group.join(userId, unixNow());
  sees(world, userId, peer);
}

function leave(group: BasicGroup | Channel, userId: number): void {
  if (group.kind === "group") {
    group.members.delete(userId);
    group.admins.delete(userId);
    group.version++;
  } else group.leave(userId);
}

function appoint({ world, delivery }: PeopleControl, group: BasicGroup | Channel, userId: number, isAdmin: boolean): void {
  if (group.kind === "channel") {
    group.appoint(userId, isAdmin ? { postMessages: true } : undefined);
    return;
  }
  if (isAdmin) group.admins.add(userId);
  else group.admins.delete(userId);
  const version = ++group.version;
  for (const member of group.members.keys()) {
    const viewer = world.accounts.ofUser(member);
    if (viewer === undefined) continue;
    const update = new Api.UpdateChatParticipantAdmin({ chatId: long(group.id), userId: long(userId), isAdmin, version });
    const cast = new Cast(world, viewer).peer(-group.id).user(userId);
    delivery.pushes.pushFleeting(
      viewer,
      () => new Api.Updates({ updates: [update], users: cast.users, chats: cast.chats, date: unixNow(), seq: 0 }),
    );
  }
}
