import type { DeadLetter } from "../../../shared/contract/dead-letters.js";
import type { Registry } from "../cli.js";
import { isDeadLetterPage, isReplayed } from "../gateway/answers.js";
import { findSession } from "../gateway/find-session.js";
import { everyRow } from "../gateway/pages.js";
import { counted } from "../output/quantities.js";
import type { Column } from "../output/table.js";

/** The most that the gateway gives at once: an event may be large. */
const rowsOfPage = 100;

export function registerDeadLetters({ program, run }: Registry): void {
  const letters = program.command("dead-letters").description("webhook events that were given up");
  letters
    .command("list <session>")
    .description("the oldest first; with --json a line each, with the event's body")
    .action(
      run(async (cli, word: string) => {
        const { id } = await findSession(cli.client, word);
        const rows = await everyRow(cli.client, { path: `/admin/sessions/${id}/dead-letters` }, isDeadLetterPage, { rowsOfPage });
        if (cli.screen.json) for (const row of rows) cli.screen.showLine(row, () => "");
        else cli.screen.line(cli.screen.table(columns, rows));
      }),
    );
  letters
    .command("replay <session>")
    .description("all of them go out again, in their order, with their ids and bytes")
    .action(
      run(async (cli, word: string) => {
        const { id } = await findSession(cli.client, word);
        const done = await cli.client.ask({ method: "POST", path: `/admin/sessions/${id}/dead-letters/replay` }, isReplayed);
        cli.screen.show(done, () => `${counted(done.replayed, "event")} replayed, ${done.left} left`);
      }),
    );
}

const columns: readonly Column<DeadLetter>[] = [
  { title: "ID", of: ({ id }) => id.slice(0, 16) },
  { title: "TYPE", of: ({ type }) => type },
  { title: "CREATED", of: ({ created }) => created },
  { title: "ATTEMPTS", of: ({ attempts }) => attempts, align: "right" },
  { title: "GIVEN UP", of: ({ reason }) => reason },
];
