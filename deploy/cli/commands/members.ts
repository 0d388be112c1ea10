import type { Cli, Registry } from "../cli.js";
import { CliError } from "../exit-code.js";
import { isMember, isMemberPage, type MemberRow } from "../gateway/responses.js";
import type { GatewayClient } from "../gateway/gateway-client.js";
import { everyRow } from "../gateway/pages.js";
import { Refusal } from "../gateway/refusal.js";
import { pause } from "../../../shared/flow/pause.js";
import { bytes, counted } from "../output/quantities.js";
import type { Column } from "../output/table.js";
import { examples } from "../examples.js";

export const memberColumns: readonly Column<MemberRow>[] = [
  { title: "NAME", of: ({ name }) => name, whole: true },
  { title: "ROLE", of: ({ role }) => role },
  { title: "STATE", of: ({ state }) => state },
  { title: "HOST", of: ({ host }) => host },
  { title: "VERSION", of: ({ version }) => version },
  { title: "SLOTS", of: ({ slots }) => slots, align: "right" },
  { title: "SESSIONS", of: ({ sessions }) => sessions, align: "right" },
  { title: "LAG MS", of: ({ loopLagMs }) => loopLagMs, align: "right" },
  { title: "MEMORY", of: ({ memoryBytes }) => bytes(memoryBytes), align: "right" },
];

export async function readMembers(client: GatewayClient): Promise<MemberRow[]> {
  return await everyRow(client, { path: "/admin/members" }, isMemberPage);
}

/** Interval between two reads of a drain's progress. */
const pollMs = 1_000;
const drainMs = 300_000;

export function registerMembers({ program, run }: Registry): void {
  program
    .command("members")
    .description("List routers, shards and supervisors with their load.")
    .addHelpText("after", examples("members"))
    .action(
      run(async (cli) => {
        const members = await readMembers(cli.client);
        cli.screen.show(members, () => cli.screen.table(memberColumns, members));
      }),
    );
  program
    .command("drain <shard>")
    .description("Move all slots off a shard and wait. The shard takes no slots until undrain.")
    .option("--no-wait", "Don't wait for completion")
    .addHelpText("after", examples("drain shard-1 && systemctl stop trunkline-shard@1"))
    .action(run((cli, name: string, { wait }: { wait: boolean }) => drain(cli, name, wait)));
  program
    .command("undrain <shard>")
    .description("Let a drained shard take slots again.")
    .addHelpText("after", examples("undrain shard-1"))
    .action(
      run(async (cli, name: string) => {
        const member = await cli.client.request({ method: "POST", path: `/admin/members/${encodeURIComponent(name)}/undrain` }, isMember);
        cli.screen.show(member, () => `${member.name} is taking slots again`);
      }),
    );
}

async function drain(cli: Cli, name: string, wait: boolean): Promise<void> {
  const { client, screen, signal } = cli;
  let member = await client.request({ method: "POST", path: `/admin/members/${encodeURIComponent(name)}/drain` }, isMember);
  const endsAt = performance.now() + drainMs;
  // The shard reports its remaining sessions every few seconds.
  while (wait && member.state === "draining") {
    screen.progress(`${name} has ${counted(member.slots ?? 0, "slot")} and ${counted(member.sessions ?? 0, "session")}`);
    if (performance.now() > endsAt) throw new CliError(`${name} still has slots after 5 minutes; it is still draining`);
    await pause(pollMs, signal);
    signal.throwIfAborted();
    member = await check(client, name, member);
  }
  if (wait) screen.endProgress();
  screen.show(member, () => (wait ? `${name} is ${member.state}` : `Draining ${name}`));
}

async function check(client: GatewayClient, name: string, before: MemberRow): Promise<MemberRow> {
  try {
    return (await readMembers(client)).find((row) => row.role === "shard" && row.name === name) ?? before;
  } catch (error) {
    if (error instanceof Refusal && error.status === 503) return before; // The router is busy, so the next poll reads the state.
    throw error;
  }
}
