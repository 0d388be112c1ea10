import { commentsOf } from "./comments.js";

/** A text in backticks, in a comment or on a page. */
export interface Quoted {
  readonly line: number;
  readonly text: string;
}

/** Returns what a file's comments quote, or a page's text outside its code blocks. */
export function quotedIn(file: string, text: string): Quoted[] {
  const places = file.endsWith(".md")
    ? withoutBlocks(text).map((line, at) => ({ line: at + 1, text: line }))
    : commentsOf(file, text).map((comment) => ({ line: comment.line, text: comment.text }));
  return places.flatMap(({ line, text: place }) => [...place.matchAll(/`([^`]+)`/g)].map(([, quoted = ""]) => ({ line, text: quoted })));
}

/** Returns a quoted identifier with an inner capital, such as `readFile` or `readFile()`, without its parentheses. */
export function identifierOf(quoted: string): string | undefined {
  const name = /^([A-Za-z][A-Za-z0-9]*)(\(\))?$/.exec(quoted)?.[1];
  return name !== undefined && /[a-z][A-Z]/.test(name) ? name : undefined;
}

/** Returns whether a quoted text is a path or name of a file, such as `router/main.ts`. Patterns such as `*.ts` are none. */
export function isFileName(quoted: string): boolean {
  return (
    /^[\w@.-]+(\/[\w@.-]+)*\.(ts|tsx|mjs|js|lua|md|ya?ml|json|sh|acl)$/.test(quoted) ||
    /^(router|shard|shared|bench|test|deploy)\/[\w./-]*$/.test(quoted)
  );
}

/** Returns a page's lines with its code blocks blanked, so that line numbers stay. */
export function withoutBlocks(text: string): string[] {
  return text.replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, " ")).split("\n");
}
