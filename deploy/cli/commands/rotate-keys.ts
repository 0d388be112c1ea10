import { pause } from "../../../shared/flow/pause.js";
import type { Cli, Registry } from "../cli.js";
import { isKeyring, type Keyring } from "../gateway/answers.js";
import type { Column } from "../output/table.js";

const lookMs = 1_000;

export function registerRotateKeys({ program, run }: Registry): void {
  program
    .command("rotate-keys [key]")
    .description(
      "which key of CRED_KEYS seals the stored logins and which may go; with a key's letter, that one seals from now on and all is sealed anew",
    )
    .option("--no-wait", "comes back at once")
    .addHelpText("after", "\nExample: trunkline rotate-keys b    (after b was added to CRED_KEYS of every process)")
    .action(run((cli, key: string | undefined, { wait }: { wait: boolean }) => rotate(cli, key, wait)));
}

async function rotate(cli: Cli, key: string | undefined, wait: boolean): Promise<void> {
  const { client, screen, signal } = cli;
  let keyring = await client.ask(
    key === undefined ? { path: "/admin/keyring" } : { method: "POST", path: "/admin/keyring/rotate", body: { key } },
    isKeyring,
  );
  for (let said = ""; key !== undefined && wait && keyring.rotation !== null && keyring.rotation.state !== "ended"; ) {
    const words = progressOf(keyring.rotation);
    if (words !== said) screen.progress((said = words));
    await pause(lookMs, signal);
    signal.throwIfAborted();
    keyring = await client.ask({ path: "/admin/keyring" }, isKeyring);
    if (keyring.rotation?.state === "ended") screen.endProgress();
  }
  screen.show(keyring, () =>
    [screen.table(columns, keyring.keys), ...(keyring.rotation === null ? [] : [`rotation: ${progressOf(keyring.rotation)}`])].join("\n"),
  );
}

export function progressOf({ state, total, done, failed, member }: NonNullable<Keyring["rotation"]>): string {
  const bad = failed === 0 ? "" : `, ${failed} do not open`;
  return `${state}, ${done} of ${total} texts sealed anew${bad}${member === "" || state === "ended" ? "" : ` by ${member}`}`;
}

const columns: readonly Column<Keyring["keys"][number]>[] = [
  { title: "KEY", of: ({ id }) => id },
  { title: "SEALS", of: ({ sealing }) => (sealing ? "yes" : "no") },
  { title: "TEXTS", of: ({ records }) => records ?? "not counted", align: "right" },
  { title: "NEEDED UNTIL", of: ({ neededUntil }) => neededUntil },
  { title: "MAY GO", of: ({ removable }) => (removable ? "yes" : "no") },
  { title: "MISSING IN", of: ({ missing }) => missing.join(" ") },
];
