import type { Account } from "../world/account.js";
import type { Delivery } from "../world/delivery.js";
import type { World } from "../world/world.js";
import { RpcFault, type RpcContext, type RpcMethod } from "../rpc.js";

/** Methods of one namespace by the class name of their request. */
export type Methods = Readonly<Record<string, RpcMethod>>;

export interface Platform {
  readonly world: World;
  readonly delivery: Delivery;
  readonly dcs: readonly { readonly id: number; readonly host: string; readonly port: number }[];
}

/** Returns the calling account after creating its chats. */
export function callerOf(world: World, { key }: RpcContext): Account {
  const account = key.account === undefined ? undefined : world.accounts.get(key.account);
  if (account === undefined) throw new RpcFault(401, key.revoked ?? "AUTH_KEY_UNREGISTERED");
  return world.opened(account);
}
