import type { Log } from "../../shared/log/logger.js";
import type { RedisAddress } from "../../shared/redis/address.js";
import { connectRedis, type RedisClient } from "../../shared/redis/connect.js";
import { buryMember } from "./bury-member.js";
import { MemberRecord, type DeadMember } from "./member-record.js";
import { processStart } from "./process-start.js";
import { OwnReport } from "./own-report.js";
import { SupervisedChild } from "./supervised-child.js";

export interface ContainerSettings {
  kind: "router" | "shard";
  name: string;
  host: string;
  redis: RedisAddress;
  /** Keeps the record of the previous process across restarts of the container. A router keeps none. */
  dataDir: string;
  /** Address of the child, for messages to people. */
  where: string;
  /** Time in ms from SIGTERM to SIGKILL of the child. */
  stopMs: number;
  /** Environment of the child. */
  environment: NodeJS.ProcessEnv;
}

/**
 * Supervises the one child of a container. A hung process does not exit, so others would wait for its lease to expire and for the
 * platforms to drop its connections. When it is killed and reaped, its slots move at once.
 */
export class ContainerSupervisor {
  private readonly child: SupervisedChild;
  private readonly record: MemberRecord | undefined;
  private readonly report: OwnReport;
  private readonly burials = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly settings: ContainerSettings,
    private readonly log: Log,
  ) {
    const { kind, name, where, host, dataDir, stopMs, environment, redis } = settings;
    this.report = new OwnReport({ name, host, address: redis, log });
    const record = kind === "shard" ? new MemberRecord(dataDir, log, host) : undefined;
    this.record = record;
    this.child = new SupervisedChild(
      {
        name,
        where,
        ...processStart(kind),
        env: () => environment,
        stopMs,
        onJoin: (member, incarnation, pid) => record?.write({ member, incarnation, pid }),
        onDeath: (member, incarnation) => this.bury(member, incarnation),
      },
      log,
    );
  }

  /** Resolves when the child is ready for the first time; rejects with a sentence if it cannot become ready. */
  async start(): Promise<void> {
    for (const { member, incarnation, why } of this.record?.readDead() ?? []) this.bury(member, incarnation, why);
    this.report.start();
    await this.child.start();
  }

  /** Resolves when the child is reaped and the cluster is notified; never rejects. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.child.stop();
    await Promise.all([...this.burials, this.report.stop()]);
  }

  private bury(member: string, incarnation: string, why: DeadMember["why"] = "reaped"): void {
    const burial = buryMember({
      withRedis: (act) => this.connected(act),
      member,
      incarnation,
      why,
      stopping: this.stopping.signal,
      log: this.log,
    });
    this.burials.add(burial);
    void burial.finally(() => this.burials.delete(burial));
  }

  /** Opens a connection for each death, because deaths are too rare to keep a connection alive. */
  private async connected(act: (redis: RedisClient) => Promise<void>): Promise<void> {
    const redis = await connectRedis(this.settings.redis, "writer", this.log);
    try {
      await act(redis);
    } finally {
      redis.disconnect();
    }
  }
}
