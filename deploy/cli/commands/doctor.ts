import { existsSync } from "node:fs";
import { join } from "node:path";
import { EnvReader } from "../../../shared/config/env.js";
import { readRedisAddress } from "../../../shared/redis/settings.js";
import { parseRedisAddress, type RedisAddress } from "../../../shared/redis/address.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { isListening, socketPath } from "../../supervisor/unix-socket.js";
import type { Cli, Registry } from "../cli.js";
import { examineHost, examineStart } from "../doctor/examine-host.js";
import { examineKeys } from "../doctor/examine-keys.js";
import { countStored, examineCache, examineRedis } from "../doctor/examine-redis.js";
import { fail, ok, warn, type Finding, type Level } from "../doctor/finding.js";
import { examineSilentRedis } from "../doctor/silent-redis.js";
import { CliError, exitCodes, type ExitCode } from "../exit-code.js";
import { isMemberPage } from "../gateway/responses.js";
import { runningIn } from "../gateway/found-keys.js";
import { counted } from "../output/quantities.js";
import type { Style } from "../output/screen.js";
import { openRedis, redisOf, type StoredWhere } from "../redis-access.js";
import { credKeysOf, dataDirOf } from "../settings.js";
import { examples } from "../examples.js";

export function registerDoctor({ program, run }: Registry): void {
  program
    .command("doctor")
    .description("Check the deployment and suggest fixes. Read-only.")
    .addHelpText("after", examples("doctor"))
    .action(run(doctor));
}

async function doctor(cli: Cli): Promise<void> {
  const { options, environment, screen } = cli;
  const dataDir = dataDirOf(options, environment);
  const where = redisOf(options, environment);
  const runs = await isListening(socketPath(dataDir, "supervisor.sock"));
  let refusal: CliError | undefined;
  const redis = await openRedis(where).catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    refusal = error;
    return undefined;
  });
  try {
    const gateway = await examineGateway(cli);
    const isElsewhere = gateway.responds && !runs && where.kind === "private";
    const findings = [
      ...(await examineHost(environment, dataDir)),
      ...(runs || isElsewhere || where.kind === "url" ? [] : await examineStart(environment)),
      ...(refusal === undefined ? [] : [fail("redis", refusal.message, "correct the setting and restart the processes")]),
      ...(isElsewhere ? [otherFolder(cli, dataDir)] : await examineStored(cli, where, redis, runs, refusal !== undefined)),
      gateway.finding,
    ];
    const worst = worstOf(findings);
    screen.show({ level: worst, findings }, () => findings.map((finding) => findingText(cli, finding)).join("\n"));
    if (worst === "fail") throw new CliError(`${counted(findings.filter(({ level }) => level === "fail").length, "check")} failed`);
  } finally {
    redis?.disconnect();
  }
}

/** `isExplained`: another finding already explains why Redis is missing. */
async function examineStored(
  cli: Cli,
  where: StoredWhere,
  redis: RedisClient | undefined,
  runs: boolean,
  isExplained: boolean,
): Promise<Finding[]> {
  const { options, environment } = cli;
  const hasData = where.kind === "private" && existsSync(join(where.dataDir, "redis", "appendonlydir"));
  const found = credKeysOf(options, environment);
  if (redis === undefined)
    return [
      ...(isExplained
        ? []
        : [await examineSilentRedis({ where, runs, privateRedis: runningIn(dataDirOf(options, environment))?.privateRedis })]),
      await examineKeys(undefined, found, hasData),
    ];
  const cache = cacheOf(cli, where);
  return [
    ...(await examineRedis(redis, where.kind === "private" ? "socket" : where.address.kind, await countStored(redis))),
    ...(cache === undefined
      ? [warn("cache redis", "shares the server that stores the logins", "use a separate Redis for media: set REDIS_CACHE_URL")]
      : await examineCache(cache, redis)),
    await examineKeys(redis, found, hasData),
  ];
}

function cacheOf({ environment }: Cli, where: StoredWhere): RedisAddress | undefined {
  const env = new EnvReader(environment);
  const address = env.optional("REDIS_CACHE_URL") === undefined ? undefined : readRedisAddress(env, "REDIS_CACHE_URL");
  env.finish();
  return address ?? (where.kind === "private" ? parseRedisAddress(socketPath(join(where.dataDir, "cache"), "redis.sock")) : undefined);
}

/** Warns that the running gateway uses another data folder than the examined one. */
function otherFolder({ client }: Cli, dataDir: string): Finding {
  return warn(
    "data folder",
    `the gateway at ${client.address.origin} does not use ${dataDir}`,
    "name its folder with --data-dir or DATA_DIR, or its Redis with TRUNKLINE_REDIS_URL, to have its Redis, keys and logins examined",
  );
}

/** Checks whether the gateway is reachable and accepts a key. `responds` is true for a response of any status. */
async function examineGateway({ client }: Cli): Promise<{ finding: Finding; responds: boolean }> {
  const { origin } = client.address;
  try {
    await client.request({ path: "/admin/members", query: { limit: "1" }, timeoutMs: 10_000 }, isMemberPage);
    return { finding: ok("gateway", `reachable at ${origin}, key accepted`), responds: true };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { finding: warn("gateway", error.message, adviceFor(error.exitCode)), responds: await isReached(origin) };
  }
}

function adviceFor(exitCode: ExitCode): string {
  switch (exitCode) {
    case exitCodes.unreachable:
      return "start the gateway (npm start), or set --url and TRUNKLINE_KEY or --key-file";
    case exitCodes.refused:
      return "provide an admin key with TRUNKLINE_KEY or --key-file";
    default:
      return "the gateway is running but busy. Check Redis first, then /readyz on the admin port";
  }
}

/** Returns true for any HTTP response, and false only if the connection fails. */
async function isReached(origin: string): Promise<boolean> {
  return await fetch(origin, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(5_000) }).then(
    () => true,
    () => false,
  );
}

export function worstOf(findings: readonly Finding[]): Level {
  for (const level of ["fail", "warn"] as const) if (findings.some((finding) => finding.level === level)) return level;
  return "ok";
}

const styles: Readonly<Record<Level, Style>> = { ok: "green", warn: "yellow", fail: "red" };
const aboutWidth = 14;

function findingText({ screen }: Cli, { level, about, says, fix }: Finding): string {
  const line = `${screen.style(styles[level], level.padEnd(4))}  ${about.padEnd(aboutWidth)}  ${says}`;
  return fix === undefined ? line : `${line}\n${" ".repeat(aboutWidth + 8)}-> ${fix}`;
}
