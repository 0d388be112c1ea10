import { Option } from "commander";
import type { AuditRow } from "../../../shared/cluster/audit/audit-row.js";
import type { Registry } from "../cli.js";
import { isAuditPage } from "../gateway/responses.js";
import { everyRow } from "../gateway/pages.js";
import { count } from "../options.js";
import type { Column } from "../output/table.js";
import { examples } from "../examples.js";

const rowsDefault = 1_000;

interface AuditOptions {
  readonly since?: string;
  readonly tenant?: string;
  readonly session?: string;
  readonly newest?: true;
  readonly hideReads?: true;
  readonly limit: number;
}

export function registerAudit({ program, run }: Registry): void {
  program
    .command("audit")
    .description("List audit entries, oldest first.")
    .option("--since <time>", "Show entries from this time on, e.g. 2026-11-22T10:00:00Z")
    .option("--tenant <tenant>", "Show entries of this tenant")
    .option("--session <id>", "Show entries of this session ID")
    .option("--newest", "Show newest entries first")
    .option("--hide-reads", "Hide calls that only read")
    .addOption(new Option("--limit <rows>", "Maximum number of entries").default(rowsDefault).argParser(count))
    .addHelpText("after", examples("audit --newest --hide-reads --limit 20", "audit --since 2026-11-22T10:00:00Z --tenant acme --json"))
    .action(
      run(async (cli, { limit, newest, hideReads, ...filter }: AuditOptions) => {
        const query = {
          ...filter,
          ...(newest === true ? { order: "newest" } : {}),
          ...(hideReads === true ? { reads: "0" } : {}),
        };
        const rows = await everyRow(cli.client, { path: "/admin/audit", query }, isAuditPage, { most: limit });
        if (rows.length === limit) cli.screen.say(`Showing the first ${limit} entries. Use --limit or --since to see others.`);
        if (cli.screen.json) for (const row of rows) cli.screen.showLine(row, () => "");
        else cli.screen.line(cli.screen.table(columns, rows));
      }),
    );
}

const columns: readonly Column<AuditRow>[] = [
  { title: "AT", of: ({ at }) => at },
  { title: "ACTOR", of: ({ who }) => who },
  { title: "ACTION", of: ({ what }) => what },
  { title: "STATUS", of: ({ status }) => status, align: "right" },
  { title: "TARGET", of: ({ target }) => target },
  { title: "TENANT", of: ({ tenant }) => tenant },
  { title: "SESSION", of: ({ session }) => session },
  { title: "FROM", of: ({ from }) => from },
];
