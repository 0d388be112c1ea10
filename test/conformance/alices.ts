import type { Platform } from "../../shared/contract/platform.js";
import { loggedIn, type Caller, type Reachable } from "../harness/api.js";

/** Alice's session on each platform. A new platform does not compile without one. */
export type Alices = Readonly<Record<Platform, Caller>>;

/** Logs in one after the other, because a login is expensive. */
export async function logInAlices(gateway: Reachable): Promise<Alices> {
  return { whatsapp: await loggedIn(gateway, "alice", "whatsapp"), telegram: await loggedIn(gateway, "alice", "telegram") };
}
