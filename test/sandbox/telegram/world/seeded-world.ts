import { seedAccounts, seedSharedChats } from "./seed.js";
import { stockAccount } from "./stock.js";
import { World, type WorldOptions } from "./world.js";

/** Returns a world with all seeded accounts and chats. */
export function seededWorld(options: Omit<WorldOptions, "stock">): World {
  const world = new World({ ...options, stock: stockAccount });
  seedAccounts(world);
  seedSharedChats(world);
  return world;
}
