import { Option } from "commander";
import { platforms } from "../../../shared/contract/platform.js";
import type { Cli, Registry } from "../cli.js";
import { followEvents } from "../events/follow-events.js";
import { fits, newsLine, wantedTypes, type NewsFilter } from "../events/news-filter.js";
import { findSession } from "../gateway/find-session.js";
import { count } from "../options.js";

interface Options extends NewsFilter {
  readonly since?: string;
  readonly count?: number;
}

export function registerTail({ program, run }: Registry): void {
  program
    .command("tail")
    .description(
      "what happens, as it happens, until Ctrl-C: states and codes of sessions, deliveries of webhooks, slots, members, rotations; comes back after a break and misses nothing that is kept",
    )
    .addOption(new Option("--type <type>").choices(wantedTypes))
    .option("--session <session>", "an id, a label, or what finds only one")
    .option("--state <state>", "of sessions or members")
    .option("--member <shard>")
    .option("--tenant <tenant>")
    .addOption(new Option("--platform <platform>").choices(platforms))
    .option("--since <id>", "from behind this event on: the id of one that --json showed")
    .addOption(new Option("--count <events>", "ends after so many").argParser(count))
    .addHelpText("after", "\nExample: trunkline tail --type session --state disconnected --json")
    .action(run(tail));
}

async function tail(cli: Cli, { since, count: most = Infinity, ...wanted }: Options): Promise<void> {
  const session = wanted.session === undefined ? {} : { session: (await findSession(cli.client, wanted.session)).id };
  let shown = 0;
  for await (const news of followEvents(cli, since)) {
    if (!fits(news, { ...wanted, ...session })) continue;
    cli.screen.showLine(news, () => newsLine(news));
    shown += 1;
    if (shown >= most) return;
  }
}
