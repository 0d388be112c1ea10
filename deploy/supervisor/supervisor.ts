import type { Log } from "../../shared/log/logger.js";
import { Lifecycle } from "../../shared/process/lifecycle.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { buryMember } from "./bury-member.js";
import { DataLock } from "./data-lock.js";
import { waitForFreePorts } from "./free-ports.js";
import { MemberRecord } from "./member-record.js";
import { planChildren } from "./plan-children.js";
import { PrivateRedis } from "./private-redis.js";
import { readSecrets, type Secrets } from "./secrets.js";
import { plannedPorts, type GivenSecrets, type SupervisorSettings } from "./settings.js";
import { SupervisedChild } from "./supervised-child.js";
import type { SandboxPlatforms } from "./supervised-message.js";

/** Longest stop of a part beyond the children's own caps, ms. */
const spareMs = 5_000;

/**
 * Everything of one host: its Redis (unless REDIS_URL names another), the sandbox, shards, routers, started in this order and stopped in reverse, so that a
 * request which is being answered finds all that it needs.
 */
export class Supervisor {
  readonly secrets: Secrets;
  private readonly lifecycle: Lifecycle;
  private readonly children: SupervisedChild[] = [];
  private readonly burials = new Set<Promise<void>>();
  private readonly stopped = new AbortController();
  private redis: RedisClient | undefined;
  private sandbox: SandboxPlatforms = {};

  constructor(settings: SupervisorSettings, given: GivenSecrets, environment: NodeJS.ProcessEnv, private readonly log: Log) {
    this.lifecycle = new Lifecycle(log);
    const lock = new DataLock(settings.dataDir);
    this.secrets = readSecrets(settings.dataDir, given);
    const own = settings.redisUrl === undefined ? new PrivateRedis(settings.dataDir, "coordination", log) : undefined;
    const redisUrl = own?.url ?? settings.redisUrl ?? "";
    const ownCache = own === undefined || settings.redisCacheUrl !== undefined ? undefined : new PrivateRedis(settings.dataDir, "cache", log);
    const redisCacheUrl = ownCache?.url ?? settings.redisCacheUrl ?? redisUrl;
    const planned = planChildren({ settings, secrets: this.secrets, environment, redisUrl, redisCacheUrl, sandbox: () => this.sandbox, system: process.platform });

    this.add("data folder", () => lock.start(), () => lock.stop());
    this.add("ports", () => waitForFreePorts(plannedPorts(settings), log, this.stopped.signal));
    for (const redis of [own, ownCache]) if (redis !== undefined) this.add("redis", () => redis.start(), () => redis.stop(), 25_000);
    this.add("redis connection", () => this.connect(redisUrl), () => this.disconnect(), 10_000);
    if (planned.sandbox !== undefined) {
      const onReady = (sandbox: SandboxPlatforms): void => {
        this.sandbox = sandbox;
      };
      this.addChildren("sandbox", [new SupervisedChild({ ...planned.sandbox, onReady }, log)], planned.sandbox.stopMs);
    }
    const record = new MemberRecord(settings.dataDir);
    this.add("members of an earlier start", () => record.readDead().forEach(({ member, incarnation }) => this.bury(member, incarnation)));
    const onJoin = (member: string, incarnation: string, pid: number): void => record.write({ member, incarnation, pid });
    const onDeath = (member: string, incarnation: string): void => this.bury(member, incarnation);
    this.addChildren("shards", planned.shards.map((plan) => new SupervisedChild({ ...plan, onJoin, onDeath }, log)), Math.max(...planned.shards.map((plan) => plan.stopMs)));
    this.addChildren("routers", planned.routers.map((plan) => new SupervisedChild(plan, log)), Math.max(...planned.routers.map((plan) => plan.stopMs)));
  }

  /** Resolves when every process is ready. Rejects with a sentence when one cannot be started, or when `stop` came first; then nothing is left running. */
  start(): Promise<void> {
    return this.lifecycle.start();
  }

  /** Resolves when nothing that was started is left running; never rejects. */
  stop(): Promise<void> {
    this.stopped.abort(new Error("stopped"));
    return this.lifecycle.stop();
  }

  /** Cuts a stop short: every child dies now. Redis still writes its file. */
  kill(): void {
    for (const child of this.children) child.kill();
  }

  private add(name: string, start: () => Promise<void> | void, stop?: () => Promise<void> | void, stopMs = spareMs): void {
    const { signal } = this.stopped;
    this.lifecycle.add({ name, start: async () => { signal.throwIfAborted(); await start(); }, stop: async () => { await stop?.(); }, stopMs });
  }

  private addChildren(name: string, children: SupervisedChild[], stopMs: number): void {
    this.children.push(...children);
    this.add(name, async () => { await Promise.all(children.map((child) => child.start())); }, async () => { await Promise.all(children.map((child) => child.stop())); }, stopMs + spareMs);
  }

  private async connect(url: string): Promise<void> {
    try {
      this.redis = await connectRedis(url, "writer", this.log);
    } catch (error) {
      throw new Error("no Redis answers at REDIS_URL", { cause: error }); // The URL may hold a password.
    }
  }

  private async disconnect(): Promise<void> {
    await Promise.all(this.burials);
    this.redis?.disconnect();
  }

  private bury(member: string, incarnation: string): void {
    if (this.redis === undefined) return;
    const burial = buryMember(this.redis, member, incarnation, this.log).finally(() => this.burials.delete(burial));
    this.burials.add(burial);
  }
}
