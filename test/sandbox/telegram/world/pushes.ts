import { Api } from "telegram";
import type { AuthKey } from "../rpc.js";
import type { Account } from "./account.js";
import { unixNow } from "./ids.js";
import { pushFaultKinds } from "./faults.js";
import type { World } from "./world.js";

/** A packet that the fault `reorder` holds back goes out behind the next one, or alone after this long. */
const maxHeldMs = 1_000;

/** Hands updates to the devices of an account, as well or badly as the faults want it. */
export class Pushes {
  private readonly held = new Map<string, () => void>();

  constructor(private readonly world: World) {}

  /** To all devices but the one that caused it. `build` is asked only when there is one to tell. */
  push(account: Account, build: () => Api.TypeUpdates | undefined, except?: AuthKey): void {
    const { devices, faults } = this.world;
    const name = account.account;
    if (devices.keysOf(name).every((key) => key === except)) return;
    // A server fallen silent: the log went on and the device hears nothing of it.
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

  /** What no log keeps: typing, stories, who reacted. Only a server fallen silent keeps it back; faults of the next update mean one that counts. */
  pushFleeting({ account: name }: Account, build: () => Api.TypeUpdates, except?: AuthKey): void {
    const { devices, faults } = this.world;
    if (devices.keysOf(name).every((key) => key === except) || faults.holding("stall", name) !== undefined) return;
    devices.push(name, build(), except);
  }

  /** Updates that move no `pts` are counted by the account's `seq`. */
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
