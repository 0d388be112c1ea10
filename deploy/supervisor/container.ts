import { EnvReader } from "../../shared/config/env.js";
import { readProcessSettings } from "../../shared/process/settings.js";
import { readRedisAddress } from "../../shared/redis/settings.js";
import { readRouterShutdown } from "../../shared/config/router-shutdown.js";
import { createLog } from "../../shared/log/logger.js";
import { collectGarbage } from "../../shared/process/collect-garbage.js";
import { configurationExitCode } from "../../shared/process/run.js";
import { surviveStrays } from "../../shared/process/stray-rejections.js";
import { ContainerSupervisor } from "./container-supervisor.js";
import { routerStopMs, shardStopMs } from "./plan-children.js";
import { SettingsRefused } from "./supervised-child.js";

/** Entry point of a container: one router or shard, as its argument says, under a supervisor that kills and restarts it when it hangs. */
const kind = process.argv[2];
if (kind !== "router" && kind !== "shard") {
  process.stderr.write("usage: container.js router|shard\n");
  process.exit(configurationExitCode);
}

// The child validates its settings and reports all mistakes at once, so they are not validated here.
const env = new EnvReader(process.env);
const { name, host, logLevel, redis, admin } = readProcessSettings(env, { name: `${kind}-1`, adminPort: 9090 });
// The supervisor needs fewer rights in Redis than its child. The child does not get the supervisor's login.
const own = env.optional("SUPERVISOR_REDIS_URL") === undefined ? undefined : readRedisAddress(env, "SUPERVISOR_REDIS_URL");
const childEnvironment = Object.fromEntries(Object.entries(process.env).filter(([setting]) => !setting.startsWith("SUPERVISOR_REDIS_")));
const log = createLog({ process: "supervisor", member: name }, logLevel);
const supervisor = new ContainerSupervisor(
  {
    kind,
    name,
    host,
    redis: own ?? redis.coordination,
    dataDir: process.env["DATA_DIR"] || ".data",
    where: `admin port ${admin.port}`,
    stopMs: kind === "router" ? routerStopMs(readRouterShutdown(env)) : shardStopMs,
    environment: childEnvironment,
  },
  log,
);

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop(0));
// The child must drain: an abrupt end would lose the order of its sessions' messages.
surviveStrays(log, (error) => {
  log.error({ err: error }, "unexpected exception");
  stop(1);
});
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

try {
  await supervisor.start();
  collectGarbage();
} catch (error) {
  if (!stopping) {
    log.error({ reason: error instanceof Error ? error.message : String(error) }, "start failed");
    await supervisor.stop();
    process.exit(error instanceof SettingsRefused ? configurationExitCode : 1);
  }
}

function stop(code: number): void {
  if (stopping) return;
  stopping = true;
  void supervisor.stop().then(() => process.exit(code));
}
