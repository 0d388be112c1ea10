import type { Registry } from "../cli.js";
import { commandTree } from "../completion/command-tree.js";
import { completionScript, shells } from "../completion/completion-script.js";
import { usageError } from "../exit-code.js";

export function registerCompletion({ program, run }: Registry): void {
  program
    .command("completion")
    .argument("<shell>", shells.join(", "))
    .description("prints what a shell completes these commands by")
    .addHelpText(
      "after",
      "\nExample: trunkline completion bash > /etc/bash_completion.d/trunkline; for fish: ~/.config/fish/completions/trunkline.fish",
    )
    .action(
      run(async (cli, word: string) => {
        const shell = shells.find((name) => name === word);
        if (shell === undefined) throw usageError(`completion is there for ${shells.join(", ")}, not ${word}`);
        const script = completionScript(shell, commandTree(program));
        cli.screen.show({ shell, script }, () => script.trimEnd());
      }),
    );
}
