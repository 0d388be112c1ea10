import { ControlError } from "../../control/control-error.js";
import type { Fields } from "../../control/fields.js";
import { memberJid } from "../iq/group-node.js";
import type { User } from "../whatsapp-backend.js";
import type { Account } from "../world/account.js";
import { userOfJid } from "../world/jid.js";
import { memberPerson, personByPhone } from "../world/person.js";
import type { World } from "../world/world.js";

/** Finds the chats and people that the control API names. */
export class PeopleChats {
  constructor(private readonly world: World) {}

  /** `chat` is a JID, an account or a phone number; default: the account's first contact. */
  chat(account: Account, fields: Fields): string {
    const chat = fields.optionalText("chat");
    if (chat === undefined) return this.world.chatJid(account, [...account.contacts.values()][0] ?? memberPerson(0));
    if (this.world.group(chat) !== undefined || this.world.channel(chat) !== undefined) return chat;
    return this.world.chatJid(account, this.person(chat, "chat"));
  }

  /**
   * Returns who acts: with `out` the account itself on its phone, in a group `from` (an account, a JID or a phone number), in a private
   * chat the other side.
   */
  author(account: Account, chat: string, fields: Fields): User {
    if (fields.flag("out")) return userOf(account);
    const group = this.world.group(chat);
    if (group === undefined) return this.person(chat, "chat");
    const from = fields.optionalText("from");
    if (from !== undefined) return this.person(from, "from");
    for (const { user } of group.members()) if (user.phone !== account.phone) return user;
    return memberPerson(0);
  }

  person(name: string, field: string): User {
    const person = this.world.accounts.get(name) ?? (name.includes("@") ? userOfJid(name) : personByPhone(name.replace(/\D/g, "")));
    if (person === undefined) throw new ControlError(404, `${field} not found`);
    return userOf(person);
  }

  /** Returns the user's JID as messages in the chat name it. */
  jidIn(account: Account, chat: string, user: User): string {
    const group = this.world.group(chat);
    return group === undefined ? this.world.chatJid(account, user) : memberJid(group, user);
  }
}

function userOf({ phone, lid }: User): User {
  return { phone, lid };
}
