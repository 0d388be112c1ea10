import { seedAccounts, seedSharedChats } from "./seed.js";
import { stockAccount } from "./stock.js";
import { World, type WorldOptions } from "./world.js";

/** A world with everybody and everything that exists from the start. */
export function seededWorld(options: Omit<WorldOptions, "stock">): World {
  const world = new World({ ...options, stock: stockAccount });
  seedAccounts(world);
  seedSharedChats(world);
  return world;
}
