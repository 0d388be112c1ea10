import type { Platform } from "../../shared/contract/platform.js";
import { loggedIn, type Caller, type Reachable } from "../harness/api.js";

/** Alice's session on each platform: a third one does not compile without hers. */
export type Alices = Readonly<Record<Platform, Caller>>;

/** One after the other: a login is work. */
export async function logInAlices(gateway: Reachable): Promise<Alices> {
  return { whatsapp: await loggedIn(gateway, "alice", "whatsapp"), telegram: await loggedIn(gateway, "alice", "telegram") };
}
