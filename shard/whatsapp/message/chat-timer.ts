import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { userJid, userOf } from "../jid.js";
import { noTimer, type ChatTimer } from "./chat-timers.js";
import { hasSession } from "./contact.js";
import { newer, readDefaultTimers } from "./default-timers.js";
import { startingTimer } from "./disappearing.js";

/**
 * Returns the timer of a private chat, or `undefined` when its messages stay. A chat that starts with this message gets a default timer. Rejects when the
 * platform refuses to name the devices of the two, which the message needs as well.
 */
export async function chatTimer(connector: WhatsAppConnector, client: Client, jid: string): Promise<ChatTimer | undefined> {
  const { timers } = connector;
  const { keys } = client.sock.authState;
  let timer = await timers.find(keys, jid);
  if (timer === undefined) {
    const isNew = (await timers.knowsAll()) || !(await hasSession(keys, jid));
    timer = isNew ? await readStartingTimer(connector, client, jid) : noTimer;
    if (timer !== undefined) timers.learn(keys, jid, timer);
  }
  return timer === undefined || timer.seconds === 0 ? undefined : timer;
}

async function readStartingTimer({ account, context }: WhatsAppConnector, client: Client, jid: string): Promise<ChatTimer | undefined> {
  const address = await account.addresses.one(client, jid);
  const own = userJid(address.endsWith("@lid") ? client.me.lid : client.me.id);
  await account.devices.of(client, [own, address]);
  try {
    const told = await readDefaultTimers((question) => client.query(question), [...new Set([own, address])]);
    const ownDefault = newer(told.get(userOf(own)), client.defaultTimer);
    return startingTimer(ownDefault?.seconds ?? 0, told.get(userOf(address))?.seconds ?? 0);
  } catch (error) {
    // The message itself does not depend on the timers. The next message asks again.
    context.log.info({ err: error }, "default timers could not be read");
    return undefined;
  }
}
