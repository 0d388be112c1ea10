import type { DeadLetter } from "../../../shared/contract/dead-letters.js";
import type { Registry } from "../cli.js";
import { isDeadLetterPage, isReplayed } from "../gateway/responses.js";
import { findSession } from "../gateway/find-session.js";
import { everyRow } from "../gateway/pages.js";
import { counted } from "../output/quantities.js";
import type { Column } from "../output/table.js";
import { examples } from "../examples.js";

/** Largest page that the gateway returns, since an event may be large. */
const rowsOfPage = 100;

export function registerDeadLetters({ program, run }: Registry): void {
  const letters = program.command("dead-letters").description("List and replay failed webhook events.");
  letters
    .command("list <session>")
    .description("List failed events, oldest first. With --json, each line includes the event.")
    .addHelpText("after", examples("dead-letters list shop --json"))
    .action(
      run(async (cli, idOrLabel: string) => {
        const { id } = await findSession(cli.client, idOrLabel);
        const rows = await everyRow(cli.client, { path: `/admin/sessions/${id}/dead-letters` }, isDeadLetterPage, { rowsOfPage });
        if (cli.screen.json) for (const row of rows) cli.screen.showLine(row, () => "");
        else cli.screen.line(cli.screen.table(columns, rows));
      }),
    );
  letters
    .command("replay <session>")
    .description("Deliver all failed events again, in order, with their original IDs and bodies.")
    .addHelpText("after", examples("dead-letters replay shop"))
    .action(
      run(async (cli, idOrLabel: string) => {
        const { id } = await findSession(cli.client, idOrLabel);
        const done = await cli.client.request({ method: "POST", path: `/admin/sessions/${id}/dead-letters/replay` }, isReplayed);
        cli.screen.show(done, () => `${counted(done.replayed, "event")} replayed, ${done.left} left`);
      }),
    );
}

const columns: readonly Column<DeadLetter>[] = [
  { title: "ID", of: ({ id }) => id.slice(0, 16) },
  { title: "TYPE", of: ({ type }) => type },
  { title: "CREATED", of: ({ created }) => created },
  { title: "ATTEMPTS", of: ({ attempts }) => attempts, align: "right" },
  { title: "REASON", of: ({ reason }) => reason },
];
