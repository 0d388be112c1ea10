import { existsSync } from "node:fs";
import { KeyRing } from "../../../shared/config/key-ring.js";
import { readSealingKey } from "../../../shared/cluster/keyring/sealing-key.js";
import { version } from "../../../shared/process/version.js";
import type { RedisClient } from "../../../shared/redis/connect.js";
import { keys } from "../../../shared/redis/keys.js";
import { unopenedCanaries } from "../../../shared/cluster/keyring/key-check.js";
import { archiveForm, type ArchiveHead } from "../backup/archive-form.js";
import { fingerprintsOf } from "../backup/key-fingerprints.js";
import { sandboxOf } from "../backup/sandbox-world.js";
import { snapshot } from "../backup/snapshot.js";
import { writeArchive } from "../backup/write-archive.js";
import type { Cli, Registry } from "../cli.js";
import { CliError } from "../exit-code.js";
import { counted } from "../output/quantities.js";
import { redisOf, withRedis } from "../redis-access.js";
import { credKeysOf } from "../settings.js";

export function registerBackup({ program, run }: Registry): void {
  program
    .command("backup <file>")
    .description(
      "copies the stored logins and settings out of Redis, while all runs or while nothing does; logins stay sealed: keep CRED_KEYS too, and elsewhere",
    )
    .option("--force", "over a file that is there")
    .addHelpText(
      "after",
      "\nIt asks Redis itself: the private one of npm start, or the one of TRUNKLINE_REDIS_URL (or REDIS_URL).\nExample: trunkline backup logins-$(date +%F).tlb",
    )
    .action(run(backup));
}

async function backup(cli: Cli, file: string, { force = false }: { force?: boolean }): Promise<void> {
  const { options, environment, screen, signal } = cli;
  if (existsSync(file) && !force) throw new CliError(`${file} is there already: another name, or --force`);
  await withRedis(redisOf(options, environment), false, async (redis) => {
    const head = await headOf(redis, ringOf(cli));
    let told = 0;
    const end = await writeArchive(file, head, snapshot(redis), (sessions) => {
      signal.throwIfAborted();
      if (sessions - told < 1_000) return;
      told = sessions;
      screen.progress(counted(sessions, "session"));
    });
    if (told > 0) screen.endProgress();
    if (Object.keys(head.fingerprints).length === 0)
      screen.say("CRED_KEYS is not at hand here: whether you still have the keys was not checked");
    if (head.sandbox !== undefined)
      screen.say("these logins are of a sandbox: keep a copy of its data folder's sandbox folder too, they open nowhere else");
    screen.show(
      { file, ...head, ...end },
      () =>
        `${file}: ${counted(end.sessions, "session")}, ${end.inTrash} in the trash, ${end.keys} keys of Redis; opens with ${keysNamed(head)}`,
    );
  });
}

/** The keys that are at hand are those that the logins are sealed with, or it is said before anybody relies on this copy. */
async function headOf(redis: RedisClient, ring: KeyRing | undefined): Promise<ArchiveHead> {
  const [canaries, sealing, info, sandbox] = await Promise.all([
    redis.hgetall(keys.canaries),
    readSealingKey(redis),
    redis.info("server"),
    sandboxOf(redis),
  ]);
  if (sealing === undefined) throw new CliError("this Redis holds no logins of Trunkline");
  const strange = ring === undefined ? [] : unopenedCanaries(ring, canaries);
  if (strange.length > 0)
    throw new CliError(`the CRED_KEYS at hand do not open the stored logins (key ${strange.join(", ")}): nothing was written`);
  return {
    archive: "trunkline",
    form: archiveForm,
    made: new Date().toISOString(),
    version,
    redis: /redis_version:(\S+)/.exec(info)?.[1] ?? "",
    sealing,
    canaries,
    fingerprints: ring === undefined ? {} : fingerprintsOf(ring),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
}

export function ringOf({ options, environment }: Cli): KeyRing | undefined {
  const found = credKeysOf(options, environment);
  if (found === undefined) return undefined;
  try {
    return KeyRing.parse(found.text);
  } catch (error) {
    throw new CliError(`the keys of ${found.from}: ${error instanceof Error ? error.message : String(error)}`, undefined, { cause: error });
  }
}

export function keysNamed({ canaries, fingerprints, sealing }: ArchiveHead): string {
  return Object.keys(canaries)
    .map((id) => `key ${id}${fingerprints[id] === undefined ? "" : ` (${fingerprints[id]})`}${id === sealing ? ", which seals" : ""}`)
    .join("; ");
}
