import { residentBytes } from "../../shared/process/resident-bytes.js";
import { ProcessReporter } from "../../shared/cluster/process-reporter.js";
import { ConfigError } from "../../shared/config/env.js";
import { LoopLag } from "../../shared/flow/loop-lag.js";
import type { Log } from "../../shared/log/logger.js";
import { AdminServer } from "../../shared/process/metrics/admin-server.js";
import { createRegistry } from "../../shared/process/metrics/registry.js";
import { Descriptors } from "../../shared/process/metrics/descriptors.js";
import { Lifecycle, type Part } from "../../shared/process/lifecycle.js";
import { version } from "../../shared/process/version.js";
import { parseRedisAddress, type RedisAddress } from "../../shared/redis/address.js";
import { requireRightServers } from "../../shared/redis/check-servers.js";
import { requireSupportedSchema } from "../../shared/cluster/schema/schema-record.js";
import { UnfitServer } from "../../shared/redis/unfit-server.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { makeSignInCode } from "../../shared/tenant/sign-in-code.js";
import { buryMember } from "./bury-member.js";
import { DataLock } from "./data-lock.js";
import { waitForFreePorts } from "./free-ports.js";
import { settleKeys } from "./fitting-keys.js";
import { GatewayFile } from "./gateway-file.js";
import { HostClaim } from "./host-claim.js";
import { settleInCluster } from "./join-cluster.js";
import { MemberRecord, type DeadMember } from "./member-record.js";
import { SupervisorMetrics } from "./metrics.js";
import { planChildren, type PlannedChild } from "./plan-children.js";
import { PrivateRedis, type RedisPurpose } from "./private-redis.js";
import { joinSandbox, shareSandbox, type SandboxAccess } from "./sandbox-access.js";
import { readSecrets, type Secrets } from "./secrets.js";
import { ownAdminPort, ownSandbox, plannedPorts, type GivenSecrets, type SupervisorSettings } from "./settings.js";
import { childLimits, SupervisedChild, type ChildPlan } from "./supervised-child.js";

type ChildListeners = Pick<ChildPlan, "onReady" | "onJoin" | "onDeath">;

/** Longest stop in ms of a part that is not a child. */
const spareMs = 5_000;

/**
 * Runs everything on one host: its Redis (unless REDIS_URL is set), the sandbox (unless it joins a cluster), shards and routers. They
 * start in this order and stop in reverse, so that requests in flight find all they need.
 */
export class Supervisor {
  readonly secrets: Secrets;
  private readonly lifecycle: Lifecycle;
  private readonly children: SupervisedChild[] = [];
  private readonly burials = new Set<Promise<void>>();
  private readonly stopped = new AbortController();
  private readonly registry = createRegistry("supervisor", "supervisor");
  private readonly metrics = new SupervisorMetrics(this.registry);
  /** True when every child has been ready once. */
  private complete = false;
  private redis: RedisClient | undefined;
  private reporter: ProcessReporter | undefined;
  private claim: HostClaim | undefined;
  private sandbox: SandboxAccess = {};

  constructor(
    private readonly settings: SupervisorSettings,
    given: GivenSecrets,
    environment: NodeJS.ProcessEnv,
    private readonly log: Log,
    onStarting?: (part: string) => void,
  ) {
    this.lifecycle = new Lifecycle(log, onStarting);
    const lock = new DataLock(settings.dataDir);
    this.secrets = readSecrets(settings.dataDir, given);
    const onRedisEnd = (purpose: RedisPurpose): void => this.metrics.redisEnded(purpose);
    const own = settings.redisUrl === undefined ? new PrivateRedis(settings.dataDir, "coordination", log, onRedisEnd) : undefined;
    const redisUrl = own?.url ?? settings.redisUrl ?? "";
    const ownCache =
      own === undefined || settings.redisCacheUrl !== undefined ? undefined : new PrivateRedis(settings.dataDir, "cache", log, onRedisEnd);
    const redisCacheUrl = ownCache?.url ?? settings.redisCacheUrl ?? redisUrl;
    const planned = planChildren({
      settings,
      secrets: this.secrets,
      environment,
      redisUrl,
      redisCacheUrl,
      sandbox: () => this.sandbox,
      system: process.platform,
    });

    this.add("data folder", lock);
    this.add("ports", { start: () => waitForFreePorts(plannedPorts(settings), log, this.stopped.signal) });
    const descriptors = new Descriptors({ registry: this.registry });
    this.add("descriptors", descriptors);
    const admin = new AdminServer({
      host: settings.shared.admin.host,
      port: ownAdminPort(settings),
      registry: this.registry,
      notReady: () => [...(this.complete ? [] : ["starting"]), ...descriptors.problems()],
    });
    this.add("admin server", admin);
    for (const redis of [own, ownCache]) {
      if (redis === undefined) continue;
      this.metrics.redisPlanned(redis.purpose);
      this.add(redis.purpose === "cache" ? "cache redis" : "redis", redis, 25_000);
    }
    this.add(
      "redis connection",
      {
        start: () => this.connect(own === undefined ? settings.shared.redis.coordination : parseRedisAddress(own.url)),
        stop: () => this.disconnect(),
      },
      10_000,
    );
    if (own === undefined) {
      this.add("host name", { start: () => this.claimHost(settings), stop: () => this.claim?.stop() });
      this.add("cluster", {
        start: async () => {
          if (this.redis !== undefined) await settleInCluster(this.redis, { settings, secrets: this.secrets });
        },
      });
    }
    const loopLag = new LoopLag();
    this.add("loop lag", loopLag);
    this.add("reporter", { start: () => this.report(settings, loopLag), stop: () => this.reporter?.stop() });
    this.add("keys", {
      start: async () => {
        if (this.redis !== undefined) await settleKeys(this.redis, settings.dataDir, given, this.secrets);
      },
    });
    if (planned.sandbox !== undefined) {
      const onReady = (sandbox: SandboxAccess): void => {
        this.sandbox = sandbox;
      };
      this.addChildren("sandbox", [planned.sandbox], { onReady });
    }
    if (settings.platforms === "sandbox")
      this.add("cluster's sandbox", {
        start: async () => {
          if (this.redis === undefined) return;
          if (settings.joins) this.sandbox = await joinSandbox(this.redis, settings.dataDir);
          else await shareSandbox(this.redis, ownSandbox(settings), this.sandbox);
        },
      });
    const record = new MemberRecord(settings.dataDir, log);
    this.add("members of an earlier start", {
      start: () => record.readDead().forEach(({ member, incarnation, why }) => this.bury(member, incarnation, why)),
    });
    const onJoin = (member: string, incarnation: string, pid: number): void => record.write({ member, incarnation, pid });
    const onDeath = (member: string, incarnation: string): void => this.bury(member, incarnation);
    const ofShards = { onJoin, onDeath };
    if (planned.allInOne === undefined) {
      this.addChildren("shards", planned.shards, ofShards);
      this.addChildren("routers", planned.routers);
    } else this.addChildren("gateway", [planned.allInOne], ofShards);
    const gatewayFile = new GatewayFile(settings, () => this.sandbox.control);
    this.add("gateway file", { start: () => gatewayFile.write(), stop: () => gatewayFile.remove() });
  }

  /**
   * Resolves when every process is ready. Rejects with a sentence if a process cannot start or `stop` came first; then nothing keeps
   * running.
   */
  async start(): Promise<void> {
    await this.lifecycle.start();
    this.complete = true;
  }

  /** Returns a one-time code that opens the console if this start prints the admin key; otherwise, or if Redis fails, `undefined`. */
  async signInCode(): Promise<string | undefined> {
    if (this.redis === undefined || this.secrets.adminKey === undefined) return undefined;
    try {
      return await makeSignInCode(this.redis);
    } catch (error) {
      this.log.warn({ err: error }, "sign-in code not created");
      return undefined;
    }
  }

  /** Resolves when everything that was started has stopped; never rejects. */
  stop(): Promise<void> {
    this.stopped.abort(new Error("stopped"));
    return this.lifecycle.stop();
  }

  /** Cuts a stop short: kills every child now. Redis still writes its file. */
  kill(): void {
    for (const child of this.children) child.kill();
  }

  private add(name: string, part: Part, stopMs = spareMs): void {
    const { signal } = this.stopped;
    const unlessStopped: Part = {
      start: async () => {
        signal.throwIfAborted();
        await part.start?.();
      },
      stop: () => part.stop?.(),
    };
    this.lifecycle.add([name, unlessStopped, { stopMs }]);
  }

  private child(plan: PlannedChild, listeners: ChildListeners): SupervisedChild {
    this.metrics.childPlanned(plan.name);
    const onReady: ChildPlan["onReady"] = (message) => {
      this.metrics.childReady(plan.name);
      listeners.onReady?.(message);
    };
    const onEnd: ChildPlan["onEnd"] = (end) => this.metrics.childEnded(plan.name, end);
    return new SupervisedChild({ ...plan, ...listeners, onReady, onEnd }, this.log, childLimits(this.settings.timing));
  }

  private addChildren(name: string, plans: readonly PlannedChild[], listeners: ChildListeners = {}): void {
    const children = plans.map((plan) => this.child(plan, listeners));
    this.children.push(...children);
    const all: Part = {
      start: async () => {
        await Promise.all(children.map((child) => child.start()));
      },
      stop: async () => {
        await Promise.all(children.map((child) => child.stop()));
      },
    };
    this.add(name, all, Math.max(...plans.map(({ stopMs }) => stopMs)) + spareMs);
  }

  private async connect(address: RedisAddress): Promise<void> {
    try {
      this.redis = await connectRedis(address, "writer", this.log);
      await requireRightServers([{ server: "coordination", address, redis: this.redis }], this.log);
      await requireSupportedSchema(this.redis);
    } catch (error) {
      if (error instanceof ConfigError || error instanceof UnfitServer) throw error;
      // The URL is not printed, because it may contain a password.
      const advice = 'look with: redis-cli -u "$REDIS_URL" ping, or start without REDIS_URL, on a private Redis';
      throw new Error(`no Redis answers at REDIS_URL: ${advice}`, { cause: error });
    }
  }

  private async claimHost({ shared, dataDir }: SupervisorSettings): Promise<void> {
    if (this.redis === undefined) return;
    const claim = new HostClaim({ redis: this.redis, host: shared.host, dataDir, log: this.log });
    await claim.start();
    this.claim = claim;
  }

  /** Reports only the supervisor, because the children report themselves. */
  private report({ prefix, shared: { host } }: SupervisorSettings, loopLag: LoopLag): void {
    if (this.redis === undefined) return;
    this.reporter = new ProcessReporter({
      redis: this.redis,
      report: () => ({
        role: "supervisor",
        name: `${prefix}supervisor`,
        host,
        version,
        loopLagMs: Math.round(loopLag.ms),
        memoryBytes: residentBytes(),
      }),
      log: this.log,
    });
    this.reporter.start();
  }

  private async disconnect(): Promise<void> {
    await Promise.all(this.burials);
    this.redis?.disconnect();
  }

  private bury(member: string, incarnation: string, why: DeadMember["why"] = "reaped"): void {
    const { redis, log } = this;
    if (redis === undefined) return;
    const stopping = this.stopped.signal;
    const burial = buryMember({ withRedis: (act) => act(redis), member, incarnation, why, stopping, log });
    this.burials.add(burial);
    void burial.finally(() => this.burials.delete(burial));
  }
}
