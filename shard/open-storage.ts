import { randomUUID } from "node:crypto";
import { SealingFollower } from "../shared/cluster/keyring/sealing-follower.js";
import { keys } from "../shared/redis/keys.js";
import { SchemaFollower } from "../shared/cluster/schema/schema-follower.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { ShardContext } from "./context.js";
import { AofRewriter } from "./cluster/aof-rewriter.js";
import { Resealer } from "./cluster/keyring/resealer.js";
import type { LiveEventWriter } from "./session/live-events/live-event-writer.js";
import { RedisClock } from "./redis/redis-clock.js";

/** How data is stored in Redis: its schema, its sealing key and its clock, and how secrets are removed from it. */
export interface Storage extends Opened {
  readonly clock: RedisClock;
  readonly schema: SchemaFollower;
  readonly sealing: SealingFollower;
}

export interface StorageParts {
  /** The schema in which data is written, as this process found it. */
  readonly written: number;
  readonly liveEvents: LiveEventWriter;
}

export function openStorage({ settings, secrets, redis, metrics, log }: ShardContext, { written, liveEvents }: StorageParts): Storage {
  const { name } = settings;
  const { writer } = redis;
  const ring = secrets.credentialRing;
  const clock = new RedisClock(writer, keys.commands(name), log);
  const sealing = new SealingFollower({ redis: writer, ring, log });
  const schema = new SchemaFollower({ redis: writer, written, log });
  const aofRewriter = new AofRewriter({ redis: writer, ...settings.aofRewrite, metrics: metrics.erasure, log });
  const runner = `${name}:${randomUUID().slice(0, 8)}`;
  const resealer = new Resealer({ redis: writer, ring, runner, metrics: metrics.keyring, events: liveEvents, log });
  return {
    clock,
    schema,
    sealing,
    lifecycle: [
      ["redis clock", clock],
      ["sealing key", sealing],
      ["schema", schema],
      ["aof rewriter", aofRewriter],
      ["resealer", resealer],
    ],
  };
}
