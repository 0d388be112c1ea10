import type { Cli, Registry } from "../cli.js";
import { usageError } from "../exit-code.js";
import { isNamed, isTenant, isTenantPage, type TenantRow } from "../gateway/answers.js";
import { changedProxy, givenProxy } from "../given-file.js";
import { everyRow } from "../gateway/pages.js";
import { collect } from "../options.js";
import { confirmed } from "../output/confirm.js";
import type { Column } from "../output/table.js";

const quotaHelp =
  "sessions, requestsPerSecond, burst, inFlight, messagesPerDay, mediaBytesPerSecond, downloads, webhooks; none takes one away";

const proxyHelp =
  "a file with what its sessions' connections go through, socks5://[user:password@]host:port or http://…: its login is no argument";

export function registerTenants({ program, run }: Registry): void {
  const tenant = program.command("tenant").description("customers of this deployment and their quotas");
  tenant
    .command("list")
    .description("all tenants")
    .action(
      run(async (cli) => {
        const rows = await everyRow(cli.client, { path: "/admin/tenants" }, isTenantPage);
        cli.screen.show(rows, () => cli.screen.table(columns, rows));
      }),
    );
  tenant
    .command("create <name>")
    .description("a new tenant")
    .option("--quota <name=number>", quotaHelp, collect)
    .option("--proxy-file <file>", proxyHelp)
    .addHelpText("after", "\nExample: trunkline tenant create acme --quota sessions=50 --quota messagesPerDay=10000")
    .action(
      run((cli, name: string, { quota = [], proxyFile }: { quota?: string[]; proxyFile?: string }) =>
        change(
          cli,
          { method: "POST", path: "/admin/tenants", body: { name, quotas: parseQuotas(quota), ...givenProxy(proxyFile) } },
          "created",
        ),
      ),
    );
  tenant
    .command("change <name>")
    .description("other quotas, another proxy; what is not named stays")
    .option("--quota <name=number>", quotaHelp, collect)
    .option("--proxy-file <file>", proxyHelp)
    .option("--no-proxy", "its sessions go through no proxy but their own")
    .action(
      run((cli, name: string, { quota = [], ...given }: { quota?: string[]; proxyFile?: string; proxy: boolean }) => {
        const proxy = changedProxy(given);
        if (quota.length === 0 && proxy.proxy === undefined) throw usageError("nothing to change: --quota, --proxy-file or --no-proxy");
        const body = { quotas: parseQuotas(quota), ...proxy };
        return change(cli, { method: "PATCH", path: pathOf(name), body }, "changed");
      }),
    );
  tenant
    .command("delete <name>")
    .description("a tenant without sessions, and its keys")
    .option("-y, --yes", "does not ask")
    .action(
      run(async (cli, name: string, { yes = false }: { yes?: boolean }) => {
        if (!yes) await confirmed(cli, `Delete the tenant ${name} and its keys?`);
        const gone = await cli.client.ask({ method: "DELETE", path: pathOf(name) }, isNamed);
        cli.screen.show(gone, () => `${name}: deleted`);
      }),
    );
}

/** `sessions=50`, `inFlight=none`. The gateway knows which there are. */
export function parseQuotas(given: readonly string[]): Record<string, number | null> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name = "", value = ""] = /^([A-Za-z]+)=(none|\d+)$/.exec(text) ?? [];
      if (name === "") throw usageError(`--quota is name=number or name=none, not ${text}`);
      return [name, value === "none" ? null : Number(value)];
    }),
  );
}

const columns: readonly Column<TenantRow>[] = [
  { title: "NAME", of: ({ name }) => name, whole: true },
  { title: "CREATED", of: ({ created }) => created },
  { title: "QUOTAS", of: ({ quotas }) => quotasOf(quotas) },
  { title: "PROXY", of: ({ proxy }) => proxy ?? "" },
];

function quotasOf(quotas: TenantRow["quotas"]): string {
  return Object.entries(quotas)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]))
    .join(" ");
}

async function change(cli: Cli, ask: { method: "POST" | "PATCH"; path: string; body: unknown }, done: string): Promise<void> {
  const tenant = await cli.client.ask(ask, isTenant);
  cli.screen.show(tenant, () => `${tenant.name}: ${done}${quotasOf(tenant.quotas) === "" ? "" : `, ${quotasOf(tenant.quotas)}`}`);
}

function pathOf(name: string): string {
  return `/admin/tenants/${encodeURIComponent(name)}`;
}
