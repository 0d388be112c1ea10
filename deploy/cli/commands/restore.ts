import { obstacleTo, inspect, wrongKeys } from "../backup/obstacles.js";
import { checkArchive, keysIn, type CheckedArchive } from "../backup/read-archive.js";
import { restoreInto } from "../backup/restore-into.js";
import { otherSandbox } from "../backup/sandbox-world.js";
import type { Cli, Registry } from "../cli.js";
import { CliError, exitCodes } from "../exit-code.js";
import { counted } from "../output/quantities.js";
import { redisOf, withRedis } from "../redis-access.js";
import { credKeysOf, dataDirOf } from "../settings.js";
import { keysNamed, ringOf } from "./backup.js";
import { examples } from "../examples.js";

interface Options {
  readonly check?: boolean;
  readonly replace?: boolean;
  readonly whileRunning?: boolean;
}

export function registerRestore({ program, run }: Registry): void {
  program
    .command("restore <file>")
    .description("Restore a backup into an empty Redis. Sessions reconnect without a QR code at the next start.")
    .option("--check", "Only verify the file and your encryption keys")
    .option("--replace", "Delete the logins and settings in Redis first")
    .option("--while-running", "Restore into a running cluster; restart its processes afterwards")
    .addHelpText("after", examples("restore logins-2026-11-22.tlb --check", "restore logins-2026-11-22.tlb && trunkline start"))
    .action(run(restore));
}

async function restore(cli: Cli, file: string, { check = false, replace = false, whileRunning = false }: Options): Promise<void> {
  const { options, environment, screen, signal } = cli;
  const archive = await checkArchive(file);
  const wrong = wrongKeys(archive.head, ringOf(cli), credKeysOf(options, environment)?.from ?? "");
  if (wrong !== undefined) throw new CliError(wrong, exitCodes.refused);
  const other = otherSandbox(archive.head, dataDirOf(options, environment));
  if (other !== undefined) screen.say(other);
  if (check) {
    showResult(cli, file, archive, "Backup is valid and your keys can decrypt it");
    return;
  }
  await withRedis(redisOf(options, environment), true, async (redis) => {
    const obstacle = obstacleTo(await inspect(redis), { replace, whileRunning });
    if (obstacle !== undefined) throw new CliError(obstacle, exitCodes.conflict);
    let reported = 0;
    await restoreInto(redis, keysIn(file), { replace }, (written) => {
      if (signal.aborted)
        screen.say(
          `Interrupted after ${written} of ${archive.end.keys} keys. Run restore again with --replace before you start the gateway.`,
        );
      signal.throwIfAborted();
      if (written - reported < 10_000) return;
      reported = written;
      screen.progress(`${written} of ${archive.end.keys} keys`);
    });
    if (reported > 0) screen.endProgress();
  });
  showResult(cli, file, archive, "Restored");
}

function showResult({ screen }: Cli, file: string, { head, end }: CheckedArchive, done: string): void {
  const held = `${counted(end.sessions, "session")} (${end.inTrash} in trash, ${counted(end.keys, "Redis key")})`;
  screen.show(
    { file, done, ...head, ...end },
    () => `${done}: ${held}, made ${head.made} with version ${head.version}. Encrypted with ${keysNamed(head)}.`,
  );
}
