import type { Registry } from "../cli.js";
import { commandTree } from "../completion/command-tree.js";
import { completionScript, shells } from "../completion/completion-script.js";
import { usageError } from "../exit-code.js";
import { examples } from "../examples.js";

export function registerCompletion({ program, run }: Registry): void {
  program
    .command("completion")
    .argument("<shell>", shells.join(", "))
    .description("Print a shell completion script.")
    .addHelpText(
      "after",
      examples("completion bash > /etc/bash_completion.d/trunkline", "completion fish > ~/.config/fish/completions/trunkline.fish"),
    )
    .action(
      run(async (cli, shellName: string) => {
        const shell = shells.find((name) => name === shellName);
        if (shell === undefined) throw usageError(`unsupported shell ${shellName}; choose one of ${shells.join(", ")}`);
        const script = completionScript(shell, commandTree(program));
        cli.screen.show({ shell, script }, () => script.trimEnd());
      }),
    );
}
