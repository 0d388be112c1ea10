import type { Registry } from "../cli.js";
import { usageError } from "../exit-code.js";
import { examples } from "../examples.js";

/**
 * Listed here for `--help` only. `deploy/trunkline.mjs` handles `start` before this program loads, because a start may have to build it.
 */
export function registerStart({ program, run }: Registry): void {
  program
    .command("start")
    .description("Install, build and run the gateway until Ctrl-C (same as npm start). Settings are environment variables.")
    .option("--join", "Join the cluster at REDIS_URL as another host (deploy/docs/hosts.md)")
    .addHelpText("after", examples("start", "start --join"))
    .action(
      run(async () => {
        throw usageError("start needs a checkout and takes no other options: trunkline start [--join]");
      }),
    );
}
