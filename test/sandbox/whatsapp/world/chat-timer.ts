import type { User } from "../whatsapp-backend.js";
import type { Account } from "./account.js";
import type { World } from "./world.js";

/**
 * Returns the seconds after which messages of a private chat disappear (0: never). A new chat gets the shorter of both sides' default
 * timers.
 */
export function chatTimer(world: World, account: Account, other: User): number {
  const known = account.timers.get(other.phone);
  if (known !== undefined) return known;
  const defaults = [account, other].flatMap(({ phone }) => world.defaultTimers.get(phone)?.seconds ?? []).filter((seconds) => seconds > 0);
  const seconds = defaults.length === 0 ? 0 : Math.min(...defaults);
  setChatTimer(world, account, other, seconds);
  return seconds;
}

/** Sets the timer of a private chat for both sides. */
export function setChatTimer(world: World, account: Account, other: User, seconds: number): void {
  account.timers.set(other.phone, seconds);
  account.changed = true;
  const theirs = world.accounts.ofPhone(other.phone);
  if (theirs !== undefined) {
    theirs.timers.set(account.phone, seconds);
    theirs.changed = true;
  }
  world.changed("world");
}
