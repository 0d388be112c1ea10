import type { Cli, Registry } from "../cli.js";
import { usageError } from "../exit-code.js";
import { isNamed, isTenant, isTenantPage, type TenantRow } from "../gateway/responses.js";
import { changedProxy, givenProxy } from "../given-file.js";
import { everyRow } from "../gateway/pages.js";
import { collect } from "../options.js";
import { confirmed } from "../output/confirm.js";
import type { Column } from "../output/table.js";
import { examples } from "../examples.js";

const quotaHelp =
  "Set a limit; use none to remove it (sessions, requestsPerSecond, burst, inFlight, messagesPerDay, mediaBytesPerSecond, downloads, webhooks)";

const paceHelp = "Set the sending pace of each session; 0 is unlimited, default uses the deployment's (sendsPerMinute, newContactsPerHour)";

const warmUpHelp = "Slow new accounts: days to the full pace and messages on the first day, as 14:50; none removes it";

const proxyHelp = "File with the proxy URL of the tenant's sessions (socks5://[user:password@]host:port or http://…)";

export function registerTenants({ program, run }: Registry): void {
  const tenant = program.command("tenant").description("Manage tenants and their quotas.");
  tenant
    .command("list")
    .description("List tenants.")
    .addHelpText("after", examples("tenant list"))
    .action(
      run(async (cli) => {
        const rows = await everyRow(cli.client, { path: "/admin/tenants" }, isTenantPage);
        cli.screen.show(rows, () => cli.screen.table(columns, rows));
      }),
    );
  tenant
    .command("create <name>")
    .description("Create a tenant.")
    .option("--quota <name=number>", quotaHelp, collect)
    .option("--pace <name=number>", paceHelp, collect)
    .option("--warm-up <days:from>", warmUpHelp)
    .option("--proxy-file <file>", proxyHelp)
    .addHelpText("after", examples("tenant create acme --quota sessions=50 --quota messagesPerDay=10000"))
    .action(
      run((cli, name: string, { quota = [], pace = [], warmUp, proxyFile }: Omit<ChangeOptions, "proxy">) => {
        const body = { name, quotas: parseQuotas(quota), ...paceIn(pace, warmUp), ...givenProxy(proxyFile) };
        return change(cli, { method: "POST", path: "/admin/tenants", body }, "created");
      }),
    );
  tenant
    .command("change <name>")
    .description("Change quotas, pace or proxy.")
    .option("--quota <name=number>", quotaHelp, collect)
    .option("--pace <name=number>", paceHelp, collect)
    .option("--warm-up <days:from>", warmUpHelp)
    .option("--proxy-file <file>", proxyHelp)
    .option("--no-proxy", "Remove the tenant's proxy")
    .addHelpText("after", examples("tenant change acme --quota sessions=none --pace sendsPerMinute=60"))
    .action(
      run((cli, name: string, { quota = [], pace = [], warmUp, ...given }: ChangeOptions) => {
        const body = { quotas: parseQuotas(quota), ...paceIn(pace, warmUp), ...changedProxy(given) };
        if (quota.length === 0 && body.pace === undefined && body.proxy === undefined)
          throw usageError("nothing to change; use --quota, --pace, --warm-up, --proxy-file or --no-proxy");
        return change(cli, { method: "PATCH", path: pathOf(name), body }, "changed");
      }),
    );
  tenant
    .command("delete <name>")
    .description("Delete a tenant that has no sessions, and its API keys.")
    .option("-y, --yes", "Don't ask for confirmation")
    .addHelpText("after", examples("tenant delete acme --yes"))
    .action(
      run(async (cli, name: string, { yes = false }: { yes?: boolean }) => {
        if (!yes) await confirmed(cli, `Delete tenant ${name} and its API keys?`, `delete tenant ${name}`);
        const gone = await cli.client.request({ method: "DELETE", path: pathOf(name) }, isNamed);
        cli.screen.show(gone, () => `${name}: deleted`);
      }),
    );
}

interface ChangeOptions {
  quota?: string[];
  pace?: string[];
  warmUp?: string;
  proxyFile?: string;
  proxy: boolean;
}

/** Parses values such as `sessions=50` or `inFlight=none`. The gateway validates the names. */
function parseQuotas(given: readonly string[]): Record<string, number | null> {
  return parseNumbers("--quota", given, "none");
}

/** Parses values such as `sendsPerMinute=60`. Omits the field when no value is given, because an older gateway rejects unknown fields. */
function paceIn(given: readonly string[], warmUp: string | undefined): { pace?: Record<string, unknown> } {
  if (given.length === 0 && warmUp === undefined) return {};
  return { pace: { ...parseNumbers("--pace", given, "default"), ...(warmUp === undefined ? {} : { warmUp: parseWarmUp(warmUp) }) } };
}

/** Parses a text such as `14:50`; `none` becomes `null`. The gateway validates the numbers. */
function parseWarmUp(text: string): { days: number; from: number } | null {
  if (text === "none") return null;
  const [, days, from] = /^(\d+):(\d+)$/.exec(text) ?? [];
  if (days === undefined || from === undefined) throw usageError(`--warm-up must be days:messages or none, not ${text}`);
  return { days: Number(days), from: Number(from) };
}

/** `absent` is the word that stands for `null`. */
function parseNumbers(option: string, given: readonly string[], absent: string): Record<string, number | null> {
  return Object.fromEntries(
    given.map((text) => {
      const [name = "", value = "", ...rest] = text.split("=");
      if (!/^[A-Za-z]+$/.test(name) || rest.length > 0 || (value !== absent && !/^\d+$/.test(value)))
        throw usageError(`${option} must be name=number or name=${absent}, not ${text}`);
      return [name, value === absent ? null : Number(value)];
    }),
  );
}

const columns: readonly Column<TenantRow>[] = [
  { title: "NAME", of: ({ name }) => name, whole: true },
  { title: "CREATED", of: ({ created }) => created },
  { title: "QUOTAS", of: ({ quotas }) => numbersOf(quotas) },
  { title: "PACE", of: ({ pace = {} }) => numbersOf(pace) },
  { title: "PROXY", of: ({ proxy }) => proxy ?? "" },
];

function numbersOf(numbers: NonNullable<TenantRow["pace"]>): string {
  return Object.entries(numbers)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${typeof value === "number" ? value : `${value.days}:${value.from}`}`]))
    .join(" ");
}

async function change(cli: Cli, request: { method: "POST" | "PATCH"; path: string; body: unknown }, done: string): Promise<void> {
  const tenant = await cli.client.request(request, isTenant);
  const { name, quotas, pace = {} } = tenant;
  const numbers = [numbersOf(quotas), numbersOf(pace)].filter((text) => text !== "").join(" ");
  cli.screen.show(tenant, () => `${name}: ${done}${numbers === "" ? "" : `, ${numbers}`}`);
}

function pathOf(name: string): string {
  return `/admin/tenants/${encodeURIComponent(name)}`;
}
