import { pause } from "../../../shared/flow/pause.js";
import type { Cli, Registry } from "../cli.js";
import { isKeyring, type Keyring } from "../gateway/responses.js";
import type { Column } from "../output/table.js";
import { examples } from "../examples.js";

const pollMs = 1_000;

export function registerRotateKeys({ program, run }: Registry): void {
  program
    .command("rotate-keys [key]")
    .description("List the encryption keys, or switch to another one and re-encrypt everything.")
    .option("--no-wait", "Don't wait for completion")
    .addHelpText("after", `${examples("rotate-keys", "rotate-keys b")}\n\nAdd the new key to CRED_KEYS of every process first.`)
    .action(run((cli, key: string | undefined, { wait }: { wait: boolean }) => rotate(cli, key, wait)));
}

async function rotate(cli: Cli, key: string | undefined, wait: boolean): Promise<void> {
  const { client, screen, signal } = cli;
  let keyring = await client.request(
    key === undefined ? { path: "/admin/keyring" } : { method: "POST", path: "/admin/keyring/rotate", body: { key } },
    isKeyring,
  );
  for (let said = ""; key !== undefined && wait && keyring.rotation !== null && keyring.rotation.state !== "ended"; ) {
    const progressText = progressOf(keyring.rotation);
    if (progressText !== said) screen.progress((said = progressText));
    await pause(pollMs, signal);
    signal.throwIfAborted();
    keyring = await client.request({ path: "/admin/keyring" }, isKeyring);
    if (keyring.rotation?.state === "ended") screen.endProgress();
  }
  screen.show(keyring, () =>
    [screen.table(columns, keyring.keys), ...(keyring.rotation === null ? [] : [`rotation: ${progressOf(keyring.rotation)}`])].join("\n"),
  );
}

export function progressOf({ state, total, done, failed, member }: NonNullable<Keyring["rotation"]>): string {
  const bad = failed === 0 ? "" : `, ${failed} could not be decrypted`;
  return `${state}, ${done} of ${total} records re-encrypted${bad}${member === "" || state === "ended" ? "" : ` by ${member}`}`;
}

const columns: readonly Column<Keyring["keys"][number]>[] = [
  { title: "KEY", of: ({ id }) => id },
  { title: "ACTIVE", of: ({ sealing }) => (sealing ? "yes" : "no") },
  { title: "RECORDS", of: ({ records }) => records ?? "not counted", align: "right" },
  { title: "REQUIRED UNTIL", of: ({ neededUntil }) => neededUntil },
  { title: "REMOVABLE", of: ({ removable }) => (removable ? "yes" : "no") },
  { title: "MISSING ON", of: ({ missing }) => missing.join(" ") },
];
