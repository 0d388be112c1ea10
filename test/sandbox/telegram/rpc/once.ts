import { RpcFault } from "../rpc.js";
import type { Account } from "../world/account.js";
import type { World } from "../world/world.js";

/** Runs a send unless its random id was used before. A failed send may be repeated. */
export async function once<T>(world: World, account: Account, randomId: string, send: () => Promise<T> | T): Promise<T> {
  if (world.randomIds.has(account.account, randomId)) throw new RpcFault(500, "RANDOM_ID_DUPLICATE");
  world.randomIds.add(account.account, randomId);
  try {
    return await send();
  } catch (error) {
    world.randomIds.forget(account.account, randomId);
    throw error;
  }
}
