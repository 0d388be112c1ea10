import type { Registry } from "../cli.js";
import { usageError } from "../exit-code.js";

/** Shown here and done before this: `deploy/trunkline.mjs` gives the whole process to the start, which also builds. */
export function registerStart({ program, run }: Registry): void {
  program
    .command("start")
    .description(
      "starts the gateway of this checkout, as npm start does: it installs, builds, runs until Ctrl-C; settings are environment variables",
    )
    .option("--join", "as a further host of the cluster at REDIS_URL (deploy/docs/hosts.md)")
    .action(
      run(async () => {
        throw usageError("start stands alone and in a checkout: trunkline start, or trunkline start --join");
      }),
    );
}
