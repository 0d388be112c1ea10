import type { CommandId } from "../../shared/contract/ids.js";
import type { Machine } from "./machine.js";
import { dropMs } from "./timing.js";
import type { Truth } from "./truth.js";
import type { World } from "./world.js";

/** One connection of an account, as the platform sees it. */
export interface Wire {
  readonly account: number;
  readonly machine: Machine;
  isClosed: boolean;
  /** When its process closed it; infinite while it has not. */
  closedAt: number;
}

/** Bytes that wait in a host's buffers for its network arrive so soon after it is back, ms. */
const flushMs = 300;

/** The platform: accounts, their connections, and what was done with them. Two connections of one account from two places destroy its login. */
export class Platform {
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

  /** Its process ends it, or that one's kernel does. */
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

  /** The kernel ends all connections of a process that was killed. */
  closeAll(machine: Machine): void {
    for (const open of this.wires.values()) for (const wire of open) if (wire.machine === machine && !wire.isClosed) this.close(wire);
  }

  /** A frame of a command is on its way, and arrives whatever becomes of its process. */
  perform(wire: Wire, command: CommandId): void {
    const arrive = (): void => {
      const { place, name } = wire.machine;
      if (place.lostSince !== undefined || wire.isClosed || this.hasDropped(wire)) return;
      if (place.cutSince !== undefined) return this.world.after(flushMs, arrive);
      this.truth.effect(command, `${name} of process ${wire.machine.life}`);
    };
    this.world.after(this.world.random.between(5, 60), arrive);
  }

  /** Ends connections of living processes on its own account. */
  dropSome(isChosen: () => boolean): void {
    for (const open of this.wires.values()) {
      for (const wire of open) {
        if (wire.isClosed || wire.machine.state !== "running" || wire.machine.place.cutSince !== undefined || !isChosen()) continue;
        wire.isClosed = true;
        open.delete(wire);
      }
    }
  }

  /** Ends what was silent for too long, before its process or host goes on. */
  dropSilent(): void {
    for (const open of this.wires.values()) {
      for (const wire of open) {
        if (!this.hasDropped(wire)) continue;
        wire.isClosed = true;
        open.delete(wire);
      }
    }
  }

  /** It fell silent for so long that the platform has ended it. */
  private hasDropped(wire: Wire): boolean {
    const since = silentSince(wire);
    return since !== undefined && this.world.now - since > dropMs;
  }
}

/** Since when the platform has had nothing from it; `undefined` while it pings. */
function silentSince({ machine, closedAt }: Wire): number | undefined {
  const since = Math.min(closedAt, machine.stillSince, machine.place.cutSince ?? Infinity);
  return since === Infinity ? undefined : since;
}

/** A process that has ended has left no address behind: the next one on its host is the same place to the platform. */
function isHarmful(wire: Wire, by: Machine): boolean {
  return wire.machine !== by && (wire.machine.place.name !== by.place.name || (wire.machine.isAlive && !wire.isClosed));
}
