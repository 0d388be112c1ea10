import type { CommandId } from "../../shared/contract/ids.js";
import type { Machine } from "./machine.js";
import { dropMs } from "./timing.js";
import type { Truth } from "./truth.js";
import type { World } from "./world.js";

/** An account's connection, as the platform sees it. */
export interface Wire {
  readonly account: number;
  readonly machine: Machine;
  isClosed: boolean;
  /** Time when the process closed it; infinite while it is open. */
  closedAt: number;
}

/** After the network is back, bytes in the host's buffers arrive within this time (ms). */
const flushMs = 300;

/** Models the platform. Two connections of one account from two places destroy its login. */
export class Platform {
  /** No response arrives before this time. */
  stalledUntil = 0;
  private readonly wires = new Map<number, Set<Wire>>();

  constructor(
    private readonly world: World,
    private readonly truth: Truth,
  ) {}

  connect(account: number, machine: Machine): Wire {
    const open = this.wires.get(account) ?? new Set();
    this.wires.set(account, open);
    for (const wire of open) {
      if (this.hasDropped(wire)) open.delete(wire);
      else if (isHarmful(wire, machine))
        this.truth.fail(
          `account ${account} was connected by ${machine.name} of process ${machine.life} while process ${wire.machine.life} was`,
        );
    }
    const wire = { account, machine, isClosed: false, closedAt: Infinity };
    open.add(wire);
    return wire;
  }

  /** Closes a connection, as its process or the kernel does. */
  close(wire: Wire): void {
    wire.isClosed = true;
    wire.closedAt = this.world.now;
    const { place } = wire.machine;
    const leave = (): void => {
      if (place.lostSince !== undefined) return;
      if (place.cutSince !== undefined) return this.world.after(flushMs, leave);
      this.world.after(this.world.random.between(1, 50), () => this.wires.get(wire.account)?.delete(wire));
    };
    leave();
  }

  /** Closes all connections of a killed process, as the kernel does. */
  closeAll(machine: Machine): void {
    for (const open of this.wires.values()) for (const wire of open) if (wire.machine === machine && !wire.isClosed) this.close(wire);
  }

  /** Sends a command's frame, which arrives even if its process dies meanwhile. Calls `onArrived` then. */
  perform(wire: Wire, command: CommandId, onArrived: () => void): void {
    const arrive = (): void => {
      const { place, name } = wire.machine;
      if (place.lostSince !== undefined || wire.isClosed || this.hasDropped(wire)) return;
      if (place.cutSince !== undefined) return this.world.after(flushMs, arrive);
      onArrived();
      this.truth.effect(command, `${name} of process ${wire.machine.life}`);
    };
    this.world.after(this.world.random.between(5, 60), arrive);
  }

  /** Ends some connections of living processes, as the platform does by itself. */
  dropSome(isChosen: () => boolean): void {
    for (const open of this.wires.values()) {
      for (const wire of open) {
        if (wire.isClosed || wire.machine.state !== "running" || wire.machine.place.cutSince !== undefined || !isChosen()) continue;
        wire.isClosed = true;
        open.delete(wire);
      }
    }
  }

  /** Ends connections that were silent for too long, before their process or host continues. */
  dropSilent(): void {
    for (const open of this.wires.values()) {
      for (const wire of open) {
        if (!this.hasDropped(wire)) continue;
        wire.isClosed = true;
        open.delete(wire);
      }
    }
  }

  /** Returns whether the platform has ended the connection because of its silence. */
  private hasDropped(wire: Wire): boolean {
    const since = silentSince(wire);
    return since !== undefined && this.world.now - since > dropMs;
  }
}

/** Returns the time of the platform's last sign of the connection, or `undefined` while the connection pings. */
function silentSince({ machine, closedAt }: Wire): number | undefined {
  const since = Math.min(closedAt, machine.stillSince, machine.place.cutSince ?? Infinity);
  return since === Infinity ? undefined : since;
}

/** A dead process does not occupy its address, so to the platform the next process of its host is at the same place. */
function isHarmful(wire: Wire, by: Machine): boolean {
  return wire.machine !== by && (wire.machine.place.name !== by.place.name || (wire.machine.isAlive && !wire.isClosed));
}
