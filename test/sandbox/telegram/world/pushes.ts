import { Api } from "telegram";
import type { AuthKey } from "../rpc.js";
import type { Account } from "./account.js";
import { unixNow } from "./ids.js";
import { pushFaultKinds } from "./faults.js";
import type { World } from "./world.js";

/** A packet held back by the fault `reorder` is sent after the next one, or alone after this time. */
const maxHeldMs = 1_000;

/** Pushes updates to the devices of an account, and applies the push faults. */
export class Pushes {
  private readonly held = new Map<string, () => void>();

  constructor(private readonly world: World) {}

  /** Pushes to all devices except the acting one. `build` is called only if there is such a device. */
  push(account: Account, build: () => Api.TypeUpdates | undefined, except?: AuthKey): void {
    const { devices, faults } = this.world;
    const name = account.account;
    if (devices.keysOf(name).every((key) => key === except)) return;
    // A stalled server: the log grows, but the device receives nothing.
    if (faults.holding("stall", name) !== undefined) return;
    const fault = faults.take(pushFaultKinds, name, undefined)?.kind;
    if (fault === "gap") return;
    const packet = fault === "updates-too-long" ? new Api.UpdatesTooLong() : build();
    if (packet === undefined) return;
    const send = (): void => devices.push(name, packet, except);
    const earlier = this.held.get(name);
    if (fault === "reorder" && earlier === undefined) return this.hold(name, send);
    send();
    if (fault === "duplicate") send();
    earlier?.();
  }

  /**
   * Pushes updates that no log contains: typing, stories, reactions. Only the fault `stall` drops them; push faults apply to logged
   * updates.
   */
  pushFleeting({ account: name }: Account, build: () => Api.TypeUpdates, except?: AuthKey): void {
    const { devices, faults } = this.world;
    if (devices.keysOf(name).every((key) => key === except) || faults.holding("stall", name) !== undefined) return;
    devices.push(name, build(), except);
  }

  /** Pushes updates that change no `pts`, numbered by the account's `seq`. */
  pushCounted(account: Account, body: Pick<Api.Updates, "updates" | "users" | "chats">): void {
    const seq = ++account.seq;
    this.world.changed("world");
    this.push(account, () => new Api.Updates({ ...body, date: unixNow(), seq }));
  }

  private hold(name: string, send: () => void): void {
    const release = (): void => {
      if (this.held.get(name) !== release) return;
      this.held.delete(name);
      clearTimeout(timer);
      send();
    };
    const timer = setTimeout(release, maxHeldMs);
    timer.unref();
    this.held.set(name, release);
  }
}
