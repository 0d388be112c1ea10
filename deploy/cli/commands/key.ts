import { Option } from "commander";
import type { Registry } from "../cli.js";
import { usageError } from "../exit-code.js";
import { isKey, isKeyPage, isNamed, isNewKey, type KeyRow } from "../gateway/answers.js";
import { changedProxy, givenProxy } from "../given-file.js";
import { everyRow } from "../gateway/pages.js";
import { confirmed } from "../output/confirm.js";
import { age } from "../output/quantities.js";
import type { Column } from "../output/table.js";

export function registerKeys({ program, run }: Registry): void {
  const key = program.command("key").description("API keys; those of API_KEYS are settings and not listed");
  key
    .command("list")
    .description("all keys, by their ids: a key itself is shown when it is made, and never again")
    .option("--tenant <tenant>")
    .action(
      run(async (cli, { tenant }: { tenant?: string }) => {
        const rows = await everyRow(cli.client, { path: "/admin/keys", query: { tenant } }, isKeyPage);
        cli.screen.show(rows, () => cli.screen.table(columns(cli.now()), rows));
      }),
    );
  key
    .command("create")
    .description("a new key, which is the one line that is printed")
    .addOption(new Option("--role <role>").choices(["admin", "tenant", "create", "read"]).makeOptionMandatory())
    .option("--tenant <tenant>", "whose it is; none for the role admin")
    .option("--label <label>", "what it is for")
    .option("--expires <instant>", "such as 2027-01-31T00:00:00Z; without it, until it is deleted")
    .option("--proxy-file <file>", proxyHelp)
    .addHelpText("after", "\nExample: (umask 077; trunkline key create --role tenant --tenant acme > acme.key)")
    .action(
      run(async (cli, { proxyFile, ...given }: { role: string; tenant?: string; label?: string; expires?: string; proxyFile?: string }) => {
        const body = { ...given, ...givenProxy(proxyFile) };
        const made = await cli.client.ask({ method: "POST", path: "/admin/keys", body }, isNewKey);
        if (!cli.screen.json) cli.screen.say(`key ${made.id}, shown only now:`);
        cli.screen.show(made, () => made.key);
      }),
    );
  key
    .command("change <id>")
    .description("another proxy for what it creates from now on; what it created before stays as it is")
    .option("--proxy-file <file>", proxyHelp)
    .option("--no-proxy", "its sessions go through their tenant's, or through none")
    .action(
      run(async (cli, id: string, given: { proxyFile?: string; proxy: boolean }) => {
        const body = changedProxy(given);
        if (body.proxy === undefined) throw usageError("nothing to change: --proxy-file or --no-proxy");
        const changed = await cli.client.ask({ method: "PATCH", path: `/admin/keys/${encodeURIComponent(id)}`, body }, isKey);
        cli.screen.show(changed, () => `${id}: changed`);
      }),
    );
  key
    .command("delete <id>")
    .description("revokes a key: no router takes it a second later")
    .option("-y, --yes", "does not ask")
    .action(
      run(async (cli, id: string, { yes = false }: { yes?: boolean }) => {
        if (!yes) await confirmed(cli, `Revoke the key ${id}?`);
        const gone = await cli.client.ask({ method: "DELETE", path: `/admin/keys/${encodeURIComponent(id)}` }, isNamed);
        cli.screen.show(gone, () => `${id}: deleted`);
      }),
    );
}

const proxyHelp =
  "a file with what the sessions that it creates go through, socks5://[user:password@]host:port or http://…: its login is no argument";

const columns = (now: number): Column<KeyRow>[] => [
  { title: "ID", of: ({ id }) => id, whole: true },
  { title: "ROLE", of: ({ role }) => role },
  { title: "TENANT", of: ({ tenant }) => tenant },
  { title: "LABEL", of: ({ label }) => label },
  { title: "CREATED", of: ({ created }) => created },
  { title: "EXPIRES", of: ({ expires }) => expires },
  { title: "PROXY", of: ({ proxy }) => proxy ?? "" },
  { title: "USED", of: ({ lastUsed }) => (lastUsed === null ? "never" : `${age(lastUsed, now)} ago`) },
];
