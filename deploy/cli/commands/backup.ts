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
import { examples } from "../examples.js";

export function registerBackup({ program, run }: Registry): void {
  program
    .command("backup <file>")
    .description("Back up logins and settings from Redis. Logins stay encrypted: store CRED_KEYS separately.")
    .option("--force", "Overwrite an existing file")
    .addHelpText(
      "after",
      `\nReads Redis directly: TRUNKLINE_REDIS_URL or REDIS_URL, else the private Redis of npm start.\n${examples("backup logins-$(date +%F).tlb")}`,
    )
    .action(run(backup));
}

async function backup(cli: Cli, file: string, { force = false }: { force?: boolean }): Promise<void> {
  const { options, environment, screen, signal } = cli;
  if (existsSync(file) && !force) throw new CliError(`${file} already exists. Choose another name or use --force.`);
  await withRedis(redisOf(options, environment), false, async (redis) => {
    const head = await headOf(redis, ringOf(cli));
    let reported = 0;
    const end = await writeArchive(file, head, snapshot(redis), (sessions) => {
      signal.throwIfAborted();
      if (sessions - reported < 1_000) return;
      reported = sessions;
      screen.progress(counted(sessions, "session"));
    });
    if (reported > 0) screen.endProgress();
    if (Object.keys(head.fingerprints).length === 0) screen.say("CRED_KEYS is not set here, so the encryption keys were not verified.");
    if (head.sandbox !== undefined)
      screen.say("These logins belong to a sandbox. Copy the sandbox folder of its data folder too: they work nowhere else.");
    screen.show(
      { file, ...head, ...end },
      () =>
        `Backed up ${counted(end.sessions, "session")} to ${file} (${end.inTrash} in trash, ${counted(end.keys, "Redis key")}). Encrypted with ${keysNamed(head)}.`,
    );
  });
}

/** Rejects if the keys at hand do not open the stored logins: such a backup could not be restored. */
async function headOf(redis: RedisClient, ring: KeyRing | undefined): Promise<ArchiveHead> {
  const [canaries, sealing, info, sandbox] = await Promise.all([
    redis.hgetall(keys.canaries),
    readSealingKey(redis),
    redis.info("server"),
    sandboxOf(redis),
  ]);
  if (sealing === undefined) throw new CliError("This Redis contains no Trunkline logins.");
  const strange = ring === undefined ? [] : unopenedCanaries(ring, canaries);
  if (strange.length > 0)
    throw new CliError(`CRED_KEYS cannot decrypt the stored logins (key ${strange.join(", ")}). No backup was written.`);
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
    throw new CliError(`Invalid keys in ${found.from}: ${error instanceof Error ? error.message : String(error)}`, undefined, {
      cause: error,
    });
  }
}

export function keysNamed({ canaries, fingerprints, sealing }: ArchiveHead): string {
  return Object.keys(canaries)
    .map((id) => {
      const facts = [fingerprints[id], id === sealing ? "active" : undefined].filter((fact) => fact !== undefined);
      return `key ${id}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
    })
    .join(", ");
}
