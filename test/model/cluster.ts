import type { CommandId } from "../../shared/contract/ids.js";
import type { Envelope } from "../../shared/bus/envelope.js";
import { factsOf, type ModelCommand } from "./facts.js";
import type { Guards } from "./guards.js";
import { Machine, type Place } from "./machine.js";
import { Platform } from "./platform.js";
import { ModelRedis } from "./redis.js";
import { Router } from "./router.js";
import { sessionIds } from "./sessions.js";
import { Shard } from "./shard.js";
import { Supervisor } from "./supervisor.js";
import { Truth } from "./truth.js";
import type { World } from "./world.js";

export interface ShardProcess {
  readonly name: string;
  readonly hostNumber: number;
  machine: Machine;
  shard: Shard;
}

export interface RouterProcess {
  readonly hostNumber: number;
  /** The shard that shares the router's process. */
  readonly with?: ShardProcess | undefined;
  router: Router;
}

/** Host number of each shard and of each router. Host 1 runs its router and its shard in one process. */
const shardHosts = { a: 0, b: 0, c: 1 } as const;
const routerHosts = [0, 1] as const;
const combinedHost = 1;
/** Speeds of the processes' clocks: 1 is true time. */
const rates = { least: 0.97, most: 1.03 };

/** Models two hosts, three shards, two routers of which one shares a shard's process, one Redis and one platform. */
export class Cluster {
  readonly truth: Truth;
  readonly redis: ModelRedis;
  readonly platform: Platform;
  readonly places: Place[];
  readonly shards: ShardProcess[];
  readonly routers: RouterProcess[];
  readonly supervisors: Supervisor[];
  private calls = 0;
  private routerLives = 0;

  constructor(
    readonly world: World,
    private readonly guards: Guards,
  ) {
    this.truth = new Truth(world);
    this.redis = new ModelRedis(world, guards, this.truth);
    this.platform = new Platform(world, this.truth);
    this.places = [newPlace("host-0"), newPlace("host-1")];
    this.supervisors = this.places.map((_, hostNumber) => this.newSupervisor(hostNumber));
    this.shards = Object.entries(shardHosts).map(([name, hostNumber]) => ({ name, hostNumber, ...this.newShard(name, hostNumber) }));
    this.routers = routerHosts.map((hostNumber) => {
      const shard = hostNumber === combinedHost ? this.shards.find((one) => one.hostNumber === hostNumber) : undefined;
      return { hostNumber, with: shard, router: this.newRouter(hostNumber, shard) };
    });
  }

  machinesOf(hostNumber: number): Machine[] {
    const shards = this.shards.filter((one) => one.hostNumber === hostNumber).map(({ machine }) => machine);
    const routers = this.routers.filter((one) => one.hostNumber === hostNumber).map(({ router }) => router.machine);
    return [...new Set([...shards, ...routers])];
  }

  restartShard(process: ShardProcess): void {
    this.redis.listeners.delete(process.shard);
    Object.assign(process, this.newShard(process.name, process.hostNumber));
    for (const router of this.routers) if (router.with === process) this.restartRouter(router);
  }

  restartRouter(process: RouterProcess): void {
    this.redis.listeners.delete(process.router);
    process.router = this.newRouter(process.hostNumber, process.with);
  }

  /** Starts a host again after a power loss. No process from before the loss runs on it. */
  restartHost(hostNumber: number): void {
    this.places[hostNumber] = newPlace(`host-${hostNumber}`);
    this.supervisors[hostNumber] = this.newSupervisor(hostNumber);
    for (const shard of this.shards) if (shard.hostNumber === hostNumber) this.restartShard(shard);
    for (const router of this.routers) if (router.hostNumber === hostNumber && router.with === undefined) this.restartRouter(router);
  }

  /** Sends a command as a caller and calls `onEnd` with its outcome. Returns the command's id. */
  call({ router }: RouterProcess, slot: number, command: ModelCommand, onEnd: (isOk: boolean, what: string) => void): CommandId {
    const facts = factsOf(command);
    const id = (++this.calls).toString(16).padStart(32, "0") as CommandId;
    const envelope: Envelope = {
      id,
      platform: "telegram",
      command,
      session: sessionIds[slot] ?? this.truth.fail("no such slot"),
      slot,
      replyTo: router.name,
      ttl: facts.deadlineMs,
      attempt: 0,
      input: Buffer.of(),
    };
    this.truth.asked(id, facts.class);
    router.call(envelope, facts, (outcome) => {
      this.truth.answered(id, outcome);
      onEnd(outcome.kind === "ok", outcome.kind === "error" ? outcome.message : outcome.kind);
    });
    return id;
  }

  private newMachine(name: string, hostNumber: number): Machine {
    const { world, places } = this;
    return new Machine(world, name, places[hostNumber] ?? this.truth.fail("no such host"), world.random.between(rates.least, rates.most));
  }

  private newSupervisor(hostNumber: number): Supervisor {
    return new Supervisor(this.newMachine(`supervisor-${hostNumber}`, hostNumber), this.redis);
  }

  private newShard(name: string, hostNumber: number): { machine: Machine; shard: Shard } {
    const machine = this.newMachine(name, hostNumber);
    const { redis, platform, guards } = this;
    const shard = new Shard({ machine, redis, platform, guards, place: name.charCodeAt(0) });
    shard.start();
    return { machine, shard };
  }

  private newRouter(hostNumber: number, shard?: ShardProcess): Router {
    const { redis, guards } = this;
    const name = `router-${++this.routerLives}`;
    const machine = shard?.machine ?? this.newMachine(name, hostNumber);
    const router = new Router({ machine, redis, guards, name, local: shard?.shard });
    router.start();
    return router;
  }
}

function newPlace(name: string): Place {
  return { name, cutSince: undefined, redisCutSince: undefined, lostSince: undefined };
}
