import { Option } from "commander";
import { platforms } from "../../../shared/contract/platform.js";
import type { Cli, Registry } from "../cli.js";
import { CliError, exitCodes, usageError } from "../exit-code.js";
import { isCredentials, isMoved, isNamed, isProxied, isSession, type SessionRow, type SessionProxy } from "../gateway/responses.js";
import { readGivenFile } from "../given-file.js";
import { findSession } from "../gateway/find-session.js";
import type { GatewayRequest } from "../gateway/gateway-client.js";
import { ndjson } from "../gateway/ndjson.js";
import { age, counted, duration } from "../output/quantities.js";
import type { Column } from "../output/table.js";
import { confirmed } from "../output/confirm.js";
import { count } from "../options.js";
import { examples } from "../examples.js";

interface ListOptions {
  platform?: string;
  state?: string;
  member?: string;
  tenant?: string;
  label?: string;
  find?: string;
  limit?: number;
}

/** Row limit of a table; JSON output has no limit. */
const tableRows = 1_000;
/** A delete waits for the log-out on the platform. */
const commandMs = 90_000;
const verbs = { restarted: "restart", deleted: "delete", restored: "restore" } as const;

export function registerSessions({ program, run }: Registry): void {
  const session = program.command("session").description("Manage sessions. <session> is an ID, a label or a unique match.");
  session
    .command("list")
    .description("List sessions.")
    .addOption(new Option("--platform <platform>", "Filter by platform").choices(platforms))
    .addOption(new Option("--state <state>", "Filter by state").choices(["awaiting-qr", "awaiting-password", "connected", "disconnected"]))
    .option("--member <shard>", "Filter by shard")
    .option("--tenant <tenant>", "Filter by tenant")
    .option("--label <label>", "Filter by exact label")
    .option("--find <text>", "Search by start of ID, or part of phone, username, name or label")
    .addOption(new Option("--limit <rows>", `Maximum number of sessions (default: ${tableRows} in a table)`).argParser(count))
    .addHelpText("after", examples("session list --find alice", "session list --state disconnected --json | jq -r .id"))
    .action(run(list));
  session
    .command("show <session>")
    .description("Show a session with its pending events.")
    .addHelpText("after", examples("session show shop"))
    .action(run(show));
  session
    .command("create")
    .argument("<platform>", platforms.join(" or "))
    .description("Create a session without logging in. Use login to do both.")
    .option("--label <label>", "Label for the session")
    .addHelpText("after", examples("session create whatsapp --label shop"))
    .action(run(create));
  session
    .command("move <session> <shard>")
    .description("Pin a session's slot, and all sessions in it, to a shard.")
    .addHelpText("after", examples("session move shop shard-2"))
    .action(
      run(async (cli, idOrLabel: string, member: string) => {
        const { id } = await findSession(cli.client, idOrLabel);
        const moved = await cli.client.request({ method: "POST", path: `/admin/sessions/${id}/move`, body: { member } }, isMoved);
        const along = moved.sessions === undefined ? "" : ` (${counted(moved.sessions, "session")})`;
        cli.screen.show(moved, () => `Moving slot ${moved.slot}${along} to ${moved.member}`);
      }),
    );
  session
    .command("proxy <session>")
    .description("Show or change a session's proxy. A change reconnects with the same login.")
    .option("--file <file>", "File with the proxy URL (socks5://[user:password@]host:port or http://…)")
    .option("--none", "Remove the session's own proxy")
    .addHelpText("after", examples("session proxy till-7", "session proxy till-7 --file proxy.txt"))
    .action(run(proxy));
  session
    .command("restart <session...>")
    .description("Disconnect and reconnect with the existing login.")
    .addHelpText("after", examples("session restart shop"))
    .action(
      run((cli, idsOrLabels: string[]) =>
        each(cli, idsOrLabels, "restarted", (id) => ({ method: "POST", path: `/admin/sessions/${id}/restart` })),
      ),
    );
  session
    .command("delete <session...>")
    .description("Log out and permanently delete sessions.")
    .addHelpText("after", examples("session delete shop --yes"))
    .option("-y, --yes", "Don't ask for confirmation")
    .action(
      run(async (cli, idsOrLabels: string[], { yes = false }: { yes?: boolean }) => {
        if (!yes) await confirmed(cli, `Log out and delete ${idsOrLabels.join(", ")}?`, `delete ${idsOrLabels.join(", ")}`);
        await each(cli, idsOrLabels, "deleted", (id) => ({ method: "DELETE", path: `/admin/sessions/${id}` }));
      }),
    );
  session
    .command("undelete <id...>")
    .description("Restore sessions that expired within 24 hours, with their logins. Needs full IDs.")
    .addHelpText("after", examples("session undelete 6b0321038cb68da397a5be3d"))
    .action(
      run((cli, ids: string[]) =>
        eachId(cli, ids, "restored", (id) => ({ method: "POST", path: `/admin/sessions/${encodeURIComponent(id)}/undelete` })),
      ),
    );
  session
    .command("reset <session>")
    .description("Log out and start a new login with a new QR code.")
    .addHelpText("after", examples("session reset shop --yes"))
    .option("-y, --yes", "Don't ask for confirmation")
    .action(
      run(async (cli, idOrLabel: string, { yes = false }: { yes?: boolean }) => {
        const { id, platform } = await findSession(cli.client, idOrLabel);
        if (!yes) await confirmed(cli, `Log out ${idOrLabel}?`, `log out ${idOrLabel}`);
        const path = `${cli.client.address.paths[platform]}/session/reset`;
        const reset = await cli.client.request({ method: "POST", path, headers: { id }, timeoutMs: commandMs }, isNamed);
        cli.screen.show(reset, () => `${id}: logged out\nTo log in again: trunkline login --session ${id}`);
      }),
    );
}

const columns = (now: number): Column<SessionRow>[] => [
  { title: "ID", of: ({ id }) => id, whole: true },
  { title: "PLATFORM", of: ({ platform }) => platform },
  { title: "STATE", of: ({ state }) => state },
  { title: "FOR", of: ({ since }) => age(since, now) },
  { title: "SHARD", of: ({ member }) => member },
  { title: "LABEL", of: ({ label }) => label },
  { title: "NAME", of: ({ name }) => name },
  { title: "PHONE", of: ({ phone }) => phone },
  { title: "TENANT", of: ({ tenant }) => tenant },
  { title: "LAST ERROR", of: ({ lastError }) => lastError },
];

async function list(cli: Cli, { find, limit, ...filter }: ListOptions): Promise<void> {
  const { client, screen } = cli;
  const most = limit ?? (screen.json ? Infinity : tableRows);
  const rows: SessionRow[] = [];
  let found = 0;
  const response = await client.stream({
    path: "/admin/sessions",
    query: { ...filter, q: find },
    headers: { accept: "application/x-ndjson" },
  });
  for await (const row of ndjson(response, isSession)) {
    if (found === most) {
      screen.say(`Showing the first ${most} sessions. Use --limit to see more.`);
      break;
    }
    found += 1;
    if (screen.json) screen.showLine(row, () => "");
    else rows.push(row);
  }
  if (!screen.json) screen.line(screen.table(columns(cli.now()), rows));
}

async function show(cli: Cli, idOrLabel: string): Promise<void> {
  const row = await findSession(cli.client, idOrLabel);
  const full = row.queue === undefined ? await cli.client.request({ path: `/admin/sessions/${row.id}` }, isSession) : row;
  const { webhookLag, queue, proxy, ...facts } = full;
  const waiting =
    queue === undefined
      ? []
      : [
          ["pending events", queue.events === 0 ? "0" : `${queue.events}, oldest ${duration(webhookLag * 1_000)}`],
          ["failed events", queue.deadLetters],
        ];
  cli.screen.show(full, () =>
    cli.screen.table(
      [
        { title: "FIELD", of: ([name]) => name ?? "" },
        { title: "VALUE", of: ([, value]) => value ?? "" },
      ],
      [...Object.entries(facts), ...(proxy === undefined ? [] : [["proxy", proxyText(proxy)]]), ...waiting],
    ),
  );
}

async function proxy(cli: Cli, idOrLabel: string, { file, none = false }: { file?: string; none?: boolean }): Promise<void> {
  if (file !== undefined && none) throw usageError("use only one of --file and --none");
  const { id } = await findSession(cli.client, idOrLabel);
  const path = `/admin/sessions/${id}/proxy`;
  const request: GatewayRequest =
    file !== undefined
      ? { method: "PUT", path, body: { proxy: readGivenFile("--file", file) } }
      : none
        ? { method: "DELETE", path }
        : { path: `/admin/sessions/${id}` };
  const response = await cli.client.request({ ...request, timeoutMs: commandMs }, isProxied);
  cli.screen.show({ id, proxy: response.proxy }, () => `${id}: proxy ${proxyText(response.proxy)}`);
}

function proxyText({ of, address }: SessionProxy): string {
  switch (of) {
    case "session":
      return `${address} (session)`;
    case "key":
      return `${address} (API key)`.trim();
    case "tenant":
      return `${address} (tenant)`.trim();
    default:
      return "none";
  }
}

async function create(cli: Cli, idOrLabel: string, { label }: { label?: string }): Promise<void> {
  const platform = platforms.find((name) => name === idOrLabel);
  if (platform === undefined) throw usageError(`platform must be one of the following values: ${platforms.join(", ")}`);
  const made = await cli.client.request(
    { method: "POST", path: `${cli.client.address.paths[platform]}/session`, body: { label } },
    isCredentials,
  );
  cli.screen.show(
    made,
    () =>
      `Session ${made.id} created (${platform})\nSecret (shown once): ${made.sessionId}\nTo log in: trunkline login --session ${made.id}`,
  );
}

async function each(
  cli: Cli,
  idsOrLabels: readonly string[],
  done: keyof typeof verbs,
  requestFor: (id: string) => GatewayRequest,
): Promise<void> {
  const ids: string[] = [];
  for (const idOrLabel of idsOrLabels) ids.push((await findSession(cli.client, idOrLabel)).id);
  await eachId(cli, ids, done, requestFor);
}

/**
 * Handles the ids one after another and prints a line for each. A failure does not stop the others, but the first failure sets the exit
 * code.
 */
async function eachId(
  cli: Cli,
  ids: readonly string[],
  done: keyof typeof verbs,
  requestFor: (id: string) => GatewayRequest,
): Promise<void> {
  let failure: CliError | undefined;
  let failures = 0;
  for (const id of ids) {
    try {
      const response = await cli.client.request({ ...requestFor(id), timeoutMs: commandMs }, isNamed);
      cli.screen.showLine(response, () => `${id}: ${done}`);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      if (error.exitCode === exitCodes.unreachable) throw error;
      cli.screen.showLine({ id, error: error.message }, () => `${id}: ${error.message}`);
      failure ??= error;
      failures += 1;
    }
  }
  if (failure !== undefined) throw new CliError(`couldn't ${verbs[done]} ${counted(failures, "session")}`, failure.exitCode);
}
