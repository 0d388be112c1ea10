import { watchCommands } from "./bus/command-gauges.js";
import { CommandServer } from "./bus/command-server.js";
import type { PaceLine } from "./bus/pace-line.js";
import type { StreamLength } from "./bus/stream-length.js";
import type { LocalBus } from "../shared/bus/local-bus.js";
import type { Opened } from "../shared/process/lifecycle.js";
import type { RedisProbe } from "../shared/process/metrics/redis-probe.js";
import type { ShardContext } from "./context.js";
import type { Downloader } from "./files/download/download.js";
import type { OpenedHost } from "./open-host.js";
import type { RedisClock } from "./redis/redis-clock.js";
import type { PlatformRegistry } from "./session/platform-adapter.js";

export interface OpenedCommands extends Opened {
  readonly commands: CommandServer;
}

export interface CommandParts {
  readonly hosting: OpenedHost;
  readonly platforms: PlatformRegistry;
  readonly clock: RedisClock;
  readonly paceLine: PaceLine;
  readonly downloads: Downloader;
  readonly probe: RedisProbe;
  readonly streamLength: StreamLength;
  readonly local: LocalBus | undefined;
}

export function openCommands(context: ShardContext, parts: CommandParts): OpenedCommands {
  const { settings, secrets, redis, registry, metrics, tracing, log } = context;
  const { hosting, platforms, clock, paceLine, downloads, probe, streamLength, local } = parts;
  const commands = new CommandServer({
    member: settings.name,
    writer: redis.writer,
    reader: redis.reader,
    cache: redis.cache,
    clock,
    local,
    host: hosting.host,
    slots: hosting.held,
    platforms,
    refusals: hosting.refusals,
    ring: secrets.credentialRing,
    refusesWrites: () => probe.refusesWrites,
    paceLine,
    parked: () => downloads.pending + paceLine.waiting,
    metrics: metrics.commands,
    tracing,
    log,
    timing: settings.timing,
  });
  watchCommands(registry, { commands, streamLength, local, paceLine });
  return { commands, lifecycle: [["command server", commands]] };
}
