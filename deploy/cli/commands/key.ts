import { Option } from "commander";
import type { Registry } from "../cli.js";
import { usageError } from "../exit-code.js";
import { isKey, isKeyPage, isNamed, isNewKey, type KeyRow } from "../gateway/responses.js";
import { changedProxy, givenProxy } from "../given-file.js";
import { everyRow } from "../gateway/pages.js";
import { confirmed } from "../output/confirm.js";
import { required } from "../options.js";
import { age } from "../output/quantities.js";
import type { Column } from "../output/table.js";
import { examples } from "../examples.js";

export function registerKeys({ program, run }: Registry): void {
  const key = program.command("key").description("Manage API keys. Keys set in API_KEYS are not shown.");
  key
    .command("list")
    .description("List API keys. The keys themselves are never shown again.")
    .option("--tenant <tenant>", "Show keys of this tenant")
    .addHelpText("after", examples("key list --tenant acme"))
    .action(
      run(async (cli, { tenant }: { tenant?: string }) => {
        const rows = await everyRow(cli.client, { path: "/admin/keys", query: { tenant } }, isKeyPage);
        cli.screen.show(rows, () => cli.screen.table(columns(cli.now()), rows));
      }),
    );
  key
    .command("create")
    .description("Create an API key and print it.")
    .addOption(new Option("--role <role>", "Role (required)").choices(["admin", "tenant", "create", "read"]))
    .option("--tenant <tenant>", "Tenant (omit for admin keys)")
    .option("--label <label>", "Label, e.g. Production server")
    .option("--expires <time>", "Expiry, e.g. 2027-01-31T00:00:00Z (default: never)")
    .option("--proxy-file <file>", proxyHelp)
    .addHelpText(
      "after",
      `${examples("key create --role tenant --tenant acme > acme.key")}\n\nRun umask 077 first, so that other users cannot read the file.`,
    )
    .action(
      run(
        async (
          cli,
          { proxyFile, role, ...given }: { role?: string; tenant?: string; label?: string; expires?: string; proxyFile?: string },
        ) => {
          const body = { role: required(role, "--role <role>"), ...given, ...givenProxy(proxyFile) };
          const made = await cli.client.request({ method: "POST", path: "/admin/keys", body }, isNewKey);
          if (!cli.screen.json) cli.screen.say(`Key ${made.id} created. Copy it now; it won't be shown again.`);
          cli.screen.show(made, () => made.key);
        },
      ),
    );
  key
    .command("change <id>")
    .description("Change the proxy of sessions that this key creates from now on.")
    .option("--proxy-file <file>", proxyHelp)
    .option("--no-proxy", "Use the tenant's proxy, if any")
    .addHelpText("after", examples("key change 6b084432cb8c3efeb5bc --proxy-file proxy.txt"))
    .action(
      run(async (cli, id: string, given: { proxyFile?: string; proxy: boolean }) => {
        const body = changedProxy(given);
        if (body.proxy === undefined) throw usageError("nothing to change; use --proxy-file or --no-proxy");
        const changed = await cli.client.request({ method: "PATCH", path: `/admin/keys/${encodeURIComponent(id)}`, body }, isKey);
        cli.screen.show(changed, () => `${id}: changed`);
      }),
    );
  key
    .command("delete <id>")
    .description("Revoke an API key (effective within a second).")
    .option("-y, --yes", "Don't ask for confirmation")
    .addHelpText("after", examples("key delete 6b084432cb8c3efeb5bc --yes"))
    .action(
      run(async (cli, id: string, { yes = false }: { yes?: boolean }) => {
        if (!yes) await confirmed(cli, `Revoke key ${id}?`, `revoke key ${id}`);
        const gone = await cli.client.request({ method: "DELETE", path: `/admin/keys/${encodeURIComponent(id)}` }, isNamed);
        cli.screen.show(gone, () => `${id}: deleted`);
      }),
    );
}

const proxyHelp = "File with the proxy URL for sessions created with this key (socks5://[user:password@]host:port or http://…)";

const columns = (now: number): Column<KeyRow>[] => [
  { title: "ID", of: ({ id }) => id, whole: true },
  { title: "ROLE", of: ({ role }) => role },
  { title: "TENANT", of: ({ tenant }) => tenant },
  { title: "LABEL", of: ({ label }) => label },
  { title: "CREATED", of: ({ created }) => created },
  { title: "EXPIRES", of: ({ expires }) => expires },
  { title: "PROXY", of: ({ proxy }) => proxy ?? "" },
  { title: "LAST USED", of: ({ lastUsed }) => (lastUsed === null ? "never" : `${age(lastUsed, now)} ago`) },
];
