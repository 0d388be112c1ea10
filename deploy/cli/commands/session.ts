import { Option } from "commander";
import { platforms } from "../../../shared/contract/platform.js";
import type { Cli, Registry } from "../cli.js";
import { CliError, exitCodes, usageError } from "../exit-code.js";
import { isCredentials, isMoved, isNamed, isProxied, isSession, type SessionRow, type SessionWay } from "../gateway/answers.js";
import { readGivenFile } from "../given-file.js";
import { findSession } from "../gateway/find-session.js";
import type { Ask } from "../gateway/gateway-client.js";
import { ndjson } from "../gateway/ndjson.js";
import { age, counted, duration } from "../output/quantities.js";
import type { Column } from "../output/table.js";
import { confirmed } from "../output/confirm.js";
import { count } from "../options.js";

interface ListOptions {
  platform?: string;
  state?: string;
  member?: string;
  tenant?: string;
  label?: string;
  find?: string;
  limit?: number;
}

/** Rows of a table for people; as JSON there is no end to them. */
const tableRows = 1_000;
/** A delete waits for the platform's log-out. */
const commandMs = 90_000;

export function registerSessions({ program, run }: Registry): void {
  const session = program
    .command("session")
    .description("lists and operates sessions; <session> is an id, a label, or what finds only one");
  session
    .command("list")
    .description("all sessions that fit")
    .addOption(new Option("--platform <platform>").choices(platforms))
    .addOption(new Option("--state <state>").choices(["awaiting-qr", "awaiting-password", "connected", "disconnected"]))
    .option("--member <shard>", "those that this shard holds")
    .option("--tenant <tenant>")
    .option("--label <label>")
    .option("--find <text>", "by the beginning of the id, digits of the phone number, a part of the username, the name or the label")
    .addOption(new Option("--limit <rows>", `at most so many (${tableRows} in a table)`).argParser(count))
    .addHelpText("after", "\nExample: trunkline session list --state disconnected --json | jq -r .id")
    .action(run(list));
  session.command("show <session>").description("one session, with what waits for its receiver").action(run(show));
  session
    .command("create")
    .argument("<platform>", platforms.join(" or "))
    .description("makes a session without logging in (login does both); prints its id and its secret once")
    .option("--label <label>", "one line by which it is found")
    .action(run(create));
  session
    .command("move <session> <shard>")
    .description("pins its slot, with all sessions in it, to a shard")
    .action(
      run(async (cli, word: string, member: string) => {
        const { id } = await findSession(cli.client, word);
        const moved = await cli.client.ask({ method: "POST", path: `/admin/sessions/${id}/move`, body: { member } }, isMoved);
        const along = moved.sessions === undefined ? "" : ` (${counted(moved.sessions, "session")})`;
        cli.screen.show(moved, () => `${id}: slot ${moved.slot}${along} goes to ${moved.member}`);
      }),
    );
  session
    .command("proxy <session>")
    .description("what its connections go through; with an option, another proxy, by a new connection with the same login")
    .option("--file <file>", "with socks5://[user:password@]host:port or http://…: its login is no argument, which others could read")
    .option("--none", "no proxy of its own: its tenant's, or none")
    .addHelpText("after", "\nExample: trunkline session proxy till-7 --file proxy.txt")
    .action(run(proxy));
  session
    .command("restart <session...>")
    .description("ends the connection and makes another one with the same login")
    .action(
      run((cli, words: string[]) => each(cli, words, "restarted", (id) => ({ method: "POST", path: `/admin/sessions/${id}/restart` }))),
    );
  session
    .command("delete <session...>")
    .description("logs out on the platform and forgets the login, for good")
    .option("-y, --yes", "does not ask")
    .action(
      run(async (cli, words: string[], { yes = false }: { yes?: boolean }) => {
        if (!yes) await confirmed(cli, `Delete ${words.join(", ")} and log out on the platform?`);
        await each(cli, words, "deleted", (id) => ({ method: "DELETE", path: `/admin/sessions/${id}` }));
      }),
    );
  session
    .command("undelete <id...>")
    .description("brings back what a timer deleted within 24 hours, with its login; wants ids, as a deleted session has no label")
    .action(
      run((cli, ids: string[]) =>
        eachId(cli, ids, "undeleted", (id) => ({ method: "POST", path: `/admin/sessions/${encodeURIComponent(id)}/undelete` })),
      ),
    );
  session
    .command("reset <session>")
    .description("logs out on the platform and shows a new QR")
    .option("-y, --yes", "does not ask")
    .action(
      run(async (cli, word: string, { yes = false }: { yes?: boolean }) => {
        const { id, platform } = await findSession(cli.client, word);
        if (!yes) await confirmed(cli, `Log ${word} out on the platform?`);
        const path = `${cli.client.address.paths[platform]}/session/reset`;
        const reset = await cli.client.ask({ method: "POST", path, headers: { id }, timeoutMs: commandMs }, isNamed);
        cli.screen.show(reset, () => `${id}: logged out; trunkline login --session ${id} logs in again`);
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
  const answer = await client.stream({
    path: "/admin/sessions",
    query: { ...filter, q: find },
    headers: { accept: "application/x-ndjson" },
  });
  for await (const row of ndjson(answer, isSession)) {
    if (found === most) {
      screen.say(`only the first ${most} are shown (--limit)`);
      break;
    }
    found += 1;
    if (screen.json) screen.showLine(row, () => "");
    else rows.push(row);
  }
  if (!screen.json) screen.line(screen.table(columns(cli.now()), rows));
}

async function show(cli: Cli, word: string): Promise<void> {
  const row = await findSession(cli.client, word);
  const full = row.queue === undefined ? await cli.client.ask({ path: `/admin/sessions/${row.id}` }, isSession) : row;
  const { webhookLag, queue, proxy: way, ...facts } = full;
  const waiting =
    queue === undefined
      ? []
      : [
          ["waiting events", `${queue.events}, the oldest for ${duration(webhookLag * 1_000)}`],
          ["dead letters", queue.deadLetters],
        ];
  cli.screen.show(full, () =>
    cli.screen.table(
      [
        { title: "FIELD", of: ([name]) => name ?? "" },
        { title: "VALUE", of: ([, value]) => value ?? "" },
      ],
      [...Object.entries(facts), ...(way === undefined ? [] : [["connections", wayText(way)]]), ...waiting],
    ),
  );
}

async function proxy(cli: Cli, word: string, { file, none = false }: { file?: string; none?: boolean }): Promise<void> {
  if (file !== undefined && none) throw usageError("--file and --none exclude each other");
  const { id } = await findSession(cli.client, word);
  const path = `/admin/sessions/${id}/proxy`;
  const asked: Ask =
    file !== undefined
      ? { method: "PUT", path, body: { proxy: readGivenFile("--file", file) } }
      : none
        ? { method: "DELETE", path }
        : { path: `/admin/sessions/${id}` };
  const answer = await cli.client.ask({ ...asked, timeoutMs: commandMs }, isProxied);
  cli.screen.show({ id, proxy: answer.proxy }, () => `${id}: ${wayText(answer.proxy)}`);
}

function wayText({ of, address }: SessionWay): string {
  switch (of) {
    case "session":
      return `goes through its own proxy, ${address}`;
    case "key":
      return `goes through the proxy of the key that created it${address === "" ? "" : `, ${address}`}`;
    case "tenant":
      return `goes through its tenant's proxy${address === "" ? "" : `, ${address}`}`;
    default:
      return "goes through no proxy";
  }
}

async function create(cli: Cli, word: string, { label }: { label?: string }): Promise<void> {
  const platform = platforms.find((name) => name === word);
  if (platform === undefined) throw usageError(`platform must be one of the following values: ${platforms.join(", ")}`);
  const made = await cli.client.ask(
    { method: "POST", path: `${cli.client.address.paths[platform]}/session`, body: { label } },
    isCredentials,
  );
  cli.screen.show(made, () => `id          ${made.id}\nsession-id  ${made.sessionId}\n\ntrunkline login --session ${made.id} logs in`);
}

async function each(cli: Cli, words: readonly string[], done: string, ask: (id: string) => Ask): Promise<void> {
  const ids: string[] = [];
  for (const word of words) ids.push((await findSession(cli.client, word)).id);
  await eachId(cli, ids, done, ask);
}

/** One after the other, a line for each; what went wrong with one does not keep the others from it. The first failure is how it ends. */
async function eachId(cli: Cli, ids: readonly string[], done: string, ask: (id: string) => Ask): Promise<void> {
  let failure: CliError | undefined;
  for (const id of ids) {
    try {
      const answer = await cli.client.ask({ ...ask(id), timeoutMs: commandMs }, isNamed);
      cli.screen.showLine(answer, () => `${id}: ${done}`);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      if (error.exitCode === exitCodes.unreachable) throw error;
      cli.screen.showLine({ id, error: error.message }, () => `${id}: ${error.message}`);
      failure ??= error;
    }
  }
  if (failure !== undefined) throw new CliError(`${ids.length === 1 ? "it was" : "not all were"} not ${done}`, failure.exitCode);
}
