import { MemberWatch } from "../shared/cluster/member-watch.js";
import { SealingFollower } from "../shared/cluster/keyring/sealing-follower.js";
import { SchemaFollower } from "../shared/cluster/schema/schema-follower.js";
import { watchMemberDeaths } from "./bus/member-deaths.js";
import { watchShards } from "./bus/member-gauges.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { RouterContext } from "./context.js";
import { reportMember, watchMembers } from "./admin/live-events/member-events.js";

/** State shared by the cluster: its shards, its schema and its active encryption key. */
export interface Cluster extends Opened {
  readonly members: MemberWatch;
  readonly schema: SchemaFollower;
  readonly sealing: SealingFollower;
}

/** `written`: the schema version that this process found in use for writes. */
export function openCluster({ settings, ring, redis, registry, metrics, log }: RouterContext, written: number): Cluster {
  const { writer, subscriber } = redis;
  const sealing = new SealingFollower({ redis: writer, ring, log });
  const schema = new SchemaFollower({ redis: writer, written, log });
  const members = new MemberWatch({ redis: writer, subscriber, log, timing: settings.timing });
  watchMemberDeaths(members, (cause) => metrics.memberDied(cause));
  watchShards(registry, members);
  watchMembers(members, (member) => {
    reportMember(writer, member).catch((error: unknown) => log.warn({ err: error, member: member.name }, "member event not published"));
  });
  return {
    members,
    schema,
    sealing,
    lifecycle: [
      ["sealing key", sealing],
      ["schema", schema],
      ["member watch", members],
    ],
  };
}
