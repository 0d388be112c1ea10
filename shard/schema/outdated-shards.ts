import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import { bury, type MemberRecord } from "../../shared/cluster/membership.js";
import type { Log } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { SchemaPort } from "../../shared/schema/schema-follower.js";
import { packedSchema } from "../../shared/schema/schema-version.js";

export interface OutdatedShardsOptions {
  readonly redis: RedisClient;
  readonly members: MemberWatch;
  readonly schema: SchemaPort;
  readonly log: Log;
}

/**
 * Turns away shards of versions that do not look at the schema, once it is one that they cannot read: they would take packed keys for none. Their lease is taken from
 * them as soon as they are seen, before they take slots, and each time that they come again.
 */
export class OutdatedShards {
  private readonly told = new Set<string>();
  private readonly look = (): void => {
    for (const member of outdated(this.options.members.all(), this.options.schema)) void this.turnAway(member);
  };

  constructor(private readonly options: OutdatedShardsOptions) {}

  start(): void {
    this.options.members.on("change", this.look);
    this.look();
  }

  stop(): void {
    this.options.members.off("change", this.look);
  }

  /** Never rejects: it will be seen again. */
  private async turnAway({ name, incarnation }: MemberRecord): Promise<void> {
    const { redis, log } = this.options;
    // Whatever it may have taken waits until its sockets are certainly closed.
    const isTurnedAway = await bury(redis, name, incarnation, "*", "timeout").catch(() => false);
    if (!isTurnedAway || this.told.has(name)) return;
    this.told.add(name);
    log.error({ member: name }, "a shard of a version that cannot read what is stored was turned away: start it from this version");
  }
}

/** Those that live and cannot read what is written now. Pure. */
export function outdated(members: readonly MemberRecord[], schema: SchemaPort): MemberRecord[] {
  return members.filter((member) => (member.state === "active" || member.state === "draining") && !canRead(member, schema));
}

/** The version that first knew a second rule of placement is the one that first knew a schema. */
export function canRead({ rule }: Pick<MemberRecord, "rule">, { written }: SchemaPort): boolean {
  return written < packedSchema || rule !== undefined;
}
