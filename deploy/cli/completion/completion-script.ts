import type { CommandNode } from "./command-tree.js";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Returns the script that a shell's start file loads. Command names contain only letters and dashes; descriptions are quoted. */
export function completionScript(shell: Shell, tree: readonly CommandNode[]): string {
  switch (shell) {
    case "bash":
      return bash(tree);
    case "zsh":
      return zsh(tree);
    case "fish":
      return fish(tree);
    default:
      return shell satisfies never;
  }
}

const key = ({ path }: CommandNode): string => path.join(" ");
const candidates = ({ options, commands }: CommandNode): string =>
  [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(" ");
/** Options with a fixed list of values. */
const closed = (tree: readonly CommandNode[]): [flag: string, choices: string][] => [
  ...new Map(
    tree.flatMap(({ options }) =>
      options.flatMap(({ flag, choices }): [string, string][] => (choices.length > 0 ? [[flag, choices.join(" ")]] : [])),
    ),
  ),
];

/** The words that name a command select the row; the remaining words belong to that command. */
function bash(tree: readonly CommandNode[]): string {
  return `_trunkline() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path="" word
  case "$before" in
${closed(tree)
  .map(([flag, choices]) => `    ${flag}) COMPREPLY=($(compgen -W "${choices}" -- "$current")); return ;;`)
  .join("\n")}
    --*-file|--data-dir) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${tree
  .filter(({ path }) => path.length > 0)
  .map((node) => `      "${node.path.slice(0, -1).join(" ")} ${node.path.at(-1) ?? ""}") path="${key(node)}" ;;`)
  .join("\n")}
    esac
  done
  case "$path" in
${tree.map((node) => `    "${key(node)}") COMPREPLY=($(compgen -W "${candidates(node)}" -- "$current")) ;;`).join("\n")}
  esac
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _trunkline trunkline
`;
}

/** zsh runs the bash script through `bashcompinit`. */
function zsh(tree: readonly CommandNode[]): string {
  return `#compdef trunkline\nautoload -U +X bashcompinit && bashcompinit\n${bash(tree)}`;
}

function fish(tree: readonly CommandNode[]): string {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const rows = tree.flatMap(({ path, commands, options }) => {
    const seen = path.map((command) => `__fish_seen_subcommand_from ${command}`);
    const below = commands.map(({ name }) => name).join(" ");
    const names = commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below}`];
    const when = quoted([...seen, ...names].join("; and ") || "true");
    const always = quoted(seen.join("; and ") || "true");
    return [
      ...commands.map(({ name, description }) => `complete -c trunkline -f -n ${when} -a ${name} -d ${quoted(description)}`),
      ...options.map(({ flag, description, choices, takesValue }) =>
        [
          `complete -c trunkline -n ${always} -l ${flag.slice(2)} -d ${quoted(description)}`,
          ...(choices.length > 0 ? [`-x -a ${quoted(choices.join(" "))}`] : takesValue ? ["-r"] : []),
        ].join(" "),
      ),
    ];
  });
  return `${[...new Set(rows)].join("\n")}\n`;
}
