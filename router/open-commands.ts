import { CommandClient } from "./bus/command-client.js";
import { SlotOwners } from "./bus/slot-owners.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { RouterContext } from "./context.js";
import type { Cluster } from "./open-cluster.js";
import type { Records } from "./open-records.js";
import { SessionReader } from "./sessions/session-reader.js";

/** Access to sessions: slot owners, stored records, and commands to owners. */
export interface OpenedCommands extends Opened {
  readonly owners: SlotOwners;
  readonly commands: CommandClient;
  readonly sessions: SessionReader;
}

export function openCommands(context: RouterContext, { members, schema }: Cluster, { feed, records }: Records): OpenedCommands {
  const { settings, ring, redis, local, metrics, tracing, life, log } = context;
  const { writer, reader, subscriber, cache } = redis;
  const owners = new SlotOwners({ feed, redis: writer, subscriber, members });
  const commands = new CommandClient({
    router: life,
    writer,
    reader,
    cache,
    owners,
    ring,
    local,
    emptiedForMs: () => schema.emptiedForMs(),
    metrics: metrics.commands,
    tracing,
    log,
    timing: settings.timing,
  });
  return {
    owners,
    commands,
    sessions: new SessionReader(writer, members, owners, records, schema),
    lifecycle: [
      ["slot owners", owners],
      ["command client", commands],
    ],
  };
}
