import { livesOn } from "../shared/cluster/member-signs.js";
import { MemberWatch } from "../shared/cluster/member-watch.js";
import { notifySupervisor } from "../shared/process/run.js";
import type { SchemaFollower } from "../shared/cluster/schema/schema-follower.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { ShardContext } from "./context.js";
import { LeaseKeeper } from "./cluster/lease-keeper.js";
import { SchemaRaiser } from "./cluster/schema-raiser.js";

/** The other members as this process sees them, and its own lease. */
export interface Cluster extends Opened {
  readonly members: MemberWatch;
  readonly lease: LeaseKeeper;
}

export function openCluster({ settings, redis, metrics, log }: ShardContext, schema: SchemaFollower): Cluster {
  const { name, host, weight, timing } = settings;
  const { writer, subscriber, heartbeat } = redis;
  const members = new MemberWatch({ redis: writer, subscriber, log, timing });
  const liveShards = (): string[] =>
    members
      .all()
      .filter(livesOn)
      .map((member) => member.name);
  const schemaRaiser = new SchemaRaiser({ redis: writer, schema, shards: liveShards, log });
  const lease = new LeaseKeeper({ redis: heartbeat, name, host, weight, mayJoin: () => schema.isWhole(), log, timing });
  lease.on("joined", (incarnation) => notifySupervisor({ type: "joined", member: name, incarnation }));
  lease.on("fenced", metrics.fenced);
  return {
    members,
    lease,
    lifecycle: [
      ["member watch", members],
      ["schema raiser", schemaRaiser],
      ["lease", lease],
    ],
  };
}
