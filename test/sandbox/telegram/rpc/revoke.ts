import { Api } from "telegram";
import type { AuthKey } from "../rpc.js";
import { pushTo } from "../world/devices.js";
import type { World } from "../world/world.js";

/**
 * Ends a login: every later call of the key gets `error` with 401. The account's keys on foreign data centres end with its last home key.
 */
export function revoke(world: World, key: AuthKey, error: "SESSION_REVOKED" | "AUTH_KEY_UNREGISTERED"): void {
  const account = key.account;
  key.account = undefined;
  key.pendingAccount = undefined;
  key.scannedAccount = undefined;
  key.revoked = error;
  world.devices.update(key);
  world.changed("keys");
  if (account === undefined) return;
  const others = world.devices.keysOf(account);
  if (others.every(({ home }) => !home)) for (const other of others) revoke(world, other, error);
}

/** Removes a device as the phone does: pushes an update that makes it refresh, then closes its connections. */
export function removeDevice(world: World, key: AuthKey): void {
  const connections = [...key.connections];
  revoke(world, key, "SESSION_REVOKED");
  pushTo(key, new Api.UpdatesTooLong());
  // The push must be sent before the sockets close.
  setTimeout(() => {
    for (const connection of connections) connection.destroy();
  }, 250).unref();
}
