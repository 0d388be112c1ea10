import { loggedIn, type Caller } from "../harness/api.js";
import type { Gateway } from "../harness/gateway.js";
import { TelegramSide } from "../harness/telegram-side.js";

/** One account with its session at the gateway. */
export interface Member {
  readonly account: string;
  readonly caller: Caller;
}

/** Parallel logins, each of which waits for its QR code. */
const atOnce = 8;

/** Creates accounts with a few contacts, and logs each in to a session of its own. */
export async function gatherCrowd(gateway: Gateway, size: number, signal: AbortSignal): Promise<Member[]> {
  const side = new TelegramSide(gateway);
  const names = Array.from({ length: size }, (_, i) => `soak-${i}`);
  const members: Member[] = [];
  const logIn = async (): Promise<void> => {
    for (let account = names.shift(); account !== undefined; account = names.shift()) {
      signal.throwIfAborted();
      await side.post("/accounts", { account, contacts: 3, groups: 1, channels: 1, members: 3 });
      members.push({ account, caller: await loggedIn(gateway, account) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, logIn));
  return members;
}

/** Throws if the gateway rejects the settings. Returns the moments between which they took effect. */
export async function setWebhook(
  { caller, account }: Member,
  webhook: { readonly url: string; readonly token: string },
): Promise<{ asked: number; answered: number }> {
  const asked = Date.now();
  const answer = await caller.send("PUT", "/session/webhook", webhook);
  if (answer.status !== 200) throw new Error(`webhook of ${account}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return { asked, answered: Date.now() };
}
