import { BlockingReads } from "./blocking-read.js";
import { CommandOperations } from "./command-operations.js";
import type { Guards } from "./guards.js";
import { MemberOperations } from "./member-operations.js";
import { RedisLink } from "./redis-link.js";
import { SlotOperations } from "./slot-operations.js";
import { Store } from "./store.js";
import type { Truth } from "./truth.js";
import type { World } from "./world.js";

/** Receives notices of changes. A notice may be lost. */
export interface Listener {
  onNotice(channel: "members" | "slots", what: string): void;
  readonly isListening: boolean;
}

/** Redis time at the start of a run (ms). */
const epochMs = 1_000_000;
const lostNotices = 0.1;

/** Models the coordination Redis of a cluster. */
export class ModelRedis {
  readonly store: Store;
  readonly link: RedisLink;
  readonly reads: BlockingReads;
  readonly members: MemberOperations;
  readonly slots: SlotOperations;
  readonly commands: CommandOperations;
  readonly listeners = new Set<Listener>();
  /** Total steps of its clock (ms). */
  steppedMs = 0;

  constructor(
    readonly world: World,
    guards: Guards,
    truth: Truth,
  ) {
    this.store = new Store(
      () => this.time(),
      () => world.now,
    );
    this.link = new RedisLink(world, this.store);
    this.reads = new BlockingReads(this.link);
    this.store.onAppended = (name) => this.reads.added(name);
    this.members = new MemberOperations(this.store, guards);
    this.slots = new SlotOperations(this.store, guards, truth);
    this.commands = new CommandOperations(this.store, guards, this.slots, truth);
  }

  /** Models TIME. Returns milliseconds. */
  time(): number {
    return Math.floor(epochMs + this.world.now + this.steppedMs);
  }

  /** Models PUBLISH. A message may be lost. */
  publish(channel: "members" | "slots", what: string): void {
    for (const listener of this.listeners) {
      if (!listener.isListening || this.world.random.chance(lostNotices)) continue;
      this.world.after(this.world.random.between(0.2, 2), () => listener.onNotice(channel, what));
    }
  }

  /** Replaces the master: all connections break, and the new master lacks the last writes. */
  failOver(lostMs: number): number {
    this.link.trouble.isDown = true;
    const count = this.store.forget(lostMs);
    for (const connection of this.link.connections) connection.cut();
    this.reads.cut(() => true);
    return count;
  }

  comeBack(): void {
    this.link.trouble.isDown = false;
    this.link.heal();
  }
}
