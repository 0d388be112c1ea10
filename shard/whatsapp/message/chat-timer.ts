import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { noTimer, type ChatTimer } from "./chat-timers.js";
import { hasSession } from "./contact.js";
import { startingTimer } from "./disappearing.js";

/** Returns the timer of a private chat, or `undefined` when its messages stay. A new chat gets the account's default timer. */
export async function chatTimer(connector: WhatsAppConnector, client: Client, jid: string): Promise<ChatTimer | undefined> {
  const { timers } = connector;
  const { keys } = client.sock.authState;
  let timer = await timers.find(keys, jid);
  if (timer === undefined) {
    const isNew = (await timers.knowsAll()) || !(await hasSession(keys, jid));
    timer = isNew ? startingTimer(client.defaultTimer?.seconds ?? 0) : noTimer;
    timers.learn(keys, jid, timer);
  }
  return timer.seconds === 0 ? undefined : timer;
}
