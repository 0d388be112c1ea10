import { Option } from "commander";
import { platforms } from "../../../shared/contract/platform.js";
import type { Cli, Registry } from "../cli.js";
import { followEvents } from "../events/follow-events.js";
import { fits, eventLine, wantedTypes, type EventFilter } from "../events/event-filter.js";
import { findSession } from "../gateway/find-session.js";
import { count } from "../options.js";
import { examples } from "../examples.js";

interface Options extends EventFilter {
  readonly since?: string;
  readonly count?: number;
}

export function registerTail({ program, run }: Registry): void {
  program
    .command("tail")
    .description("Stream live events until Ctrl-C. Reconnects and resumes after an interruption.")
    .optionsGroup("Filters:")
    .addOption(new Option("--type <type>", "Filter by event type").choices(wantedTypes))
    .option("--session <session>", "Filter by session (ID, label or unique match)")
    .option("--state <state>", "Filter by state of a session or member")
    .option("--member <shard>", "Filter by shard")
    .option("--tenant <tenant>", "Filter by tenant")
    .addOption(new Option("--platform <platform>", "Filter by platform").choices(platforms))
    .optionsGroup("Range:")
    .option("--since <id>", "Start after this event ID")
    .addOption(new Option("--count <events>", "Stop after this many events").argParser(count))
    .addHelpText("after", examples("tail --session shop", "tail --type session --state disconnected --json"))
    .action(run(tail));
}

async function tail(cli: Cli, { since, count: most = Infinity, ...wanted }: Options): Promise<void> {
  const session = wanted.session === undefined ? {} : { session: (await findSession(cli.client, wanted.session)).id };
  let shown = 0;
  for await (const event of followEvents(cli, since)) {
    if (!fits(event, { ...wanted, ...session })) continue;
    cli.screen.showLine(event, () => eventLine(event));
    shown += 1;
    if (shown >= most) return;
  }
}
