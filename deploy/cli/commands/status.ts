import type { Cli, Registry } from "../cli.js";
import { isSession, type MemberRow } from "../gateway/responses.js";
import { ndjson } from "../gateway/ndjson.js";
import { Refusal } from "../gateway/refusal.js";
import { counted } from "../output/quantities.js";
import type { Column } from "../output/table.js";
import { memberColumns, readMembers } from "./members.js";
import { examples } from "../examples.js";

export interface StateCount {
  readonly platform: string;
  readonly state: string;
  sessions: number;
}

export function registerStatus({ program, run }: Registry): void {
  program
    .command("status")
    .description("Show cluster and session status.")
    .addHelpText("after", examples("status", "status --url https://gateway.example.org --key-file admin.key"))
    .action(
      run(async (cli) => {
        const [members, sessions] = await Promise.all([membersSeen(cli), countSessions(cli)]);
        const { origin } = cli.client.address;
        cli.screen.show({ origin, members, sessions }, () => statusText(cli, members, sessions));
      }),
    );
}

/** Returns null if the key belongs to a tenant, which may not list members. */
async function membersSeen({ client }: Cli): Promise<MemberRow[] | null> {
  try {
    return await readMembers(client);
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) return null;
    throw error;
  }
}

async function countSessions({ client }: Cli): Promise<StateCount[]> {
  const counts = new Map<string, StateCount>();
  const response = await client.stream({ path: "/admin/sessions", headers: { accept: "application/x-ndjson" } });
  for await (const { platform, state } of ndjson(response, isSession)) {
    const name = `${platform} ${state}`;
    const count = counts.get(name) ?? { platform, state, sessions: 0 };
    count.sessions += 1;
    counts.set(name, count);
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
}

function statusText({ client, screen }: Cli, members: readonly MemberRow[] | null, sessions: readonly StateCount[]): string {
  const total = sessions.reduce((sum, { sessions: of }) => sum + of, 0);
  return [
    `${client.address.origin}: ${counted(total, "session")}`,
    ...(members === null ? [] : ["", screen.table(memberColumns, members)]),
    ...(total === 0 ? [] : ["", screen.table(countColumns, sessions)]),
  ].join("\n");
}

const countColumns: readonly Column<StateCount>[] = [
  { title: "PLATFORM", of: ({ platform }) => platform },
  { title: "STATE", of: ({ state }) => state },
  { title: "SESSIONS", of: ({ sessions }) => sessions, align: "right" },
];
