import { proto } from "@whiskeysockets/baileys";
import { ControlError } from "../../control/control-error.js";
import type { Fields } from "../../control/fields.js";
import { changeExpiration, timers } from "../iq/group-settings.js";
import { node, stanzaId, unixSeconds } from "../protocol/node.js";
import type { Account } from "../world/account.js";
import { setChatTimer } from "../world/chat-timer.js";
import { jidOf } from "../world/jid.js";
import type { PeopleTools } from "./people-control.js";

/**
 * Sets the timer of disappearing messages in seconds (0: off): of `chat`, by its other side or by the account in a group. Without `chat`,
 * `person` or the account sets a default for new private chats.
 */
export async function setTimer(tools: PeopleTools, account: Account, fields: Fields, seconds: number): Promise<void> {
  const { world, otherSide, chats, messages } = tools;
  if (!timers.includes(seconds)) throw new ControlError(400, `disappearing must be one of the following values: ${timers.join(", ")}`);
  if (fields.optionalText("chat") === undefined) {
    setDefaultTimer(tools, account, fields.optionalText("person"), seconds);
    return;
  }
  const chat = chats.chat(account, fields);
  const group = world.group(chat);
  if (group !== undefined) {
    changeExpiration({ world, account, tell: (users, made) => otherSide.tell(users, made) }, group, seconds);
    return;
  }
  const author = chats.author(account, chat, fields);
  setChatTimer(world, account, author, seconds);
  const key = { remoteJid: chat, fromMe: false, id: stanzaId() };
  const type = proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING;
  await messages.deliver(account, chat, author, { protocolMessage: { key, type, ephemeralExpiration: seconds } });
}

function setDefaultTimer({ world, wire, chats }: PeopleTools, account: Account, person: string | undefined, seconds: number): void {
  const user = person === undefined ? account : chats.person(person, "person");
  const setAt = Number(unixSeconds());
  world.defaultTimers.set(user.phone, { seconds, setAt });
  world.changed("world");
  const type = person === undefined ? "account_sync" : "disappearing_mode";
  const content = [node("disappearing_mode", { duration: String(seconds), t: String(setAt) })];
  for (const device of wire.devices(account.phone))
    wire.push(device, node("notification", { from: jidOf(user), type, id: stanzaId(), t: String(setAt) }, content));
}
