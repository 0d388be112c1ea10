import ts from "typescript";

/** A comment of a source file. Line comments that follow each other are one. */
export interface Comment {
  /** From 1. */
  readonly line: number;
  /** Its lines as they stand in the file. */
  readonly lines: readonly string[];
  /** Its words, without the marks of comments. */
  readonly text: string;
}

/** Begins a part of a script's head, or of a doc comment: each part counts by itself. */
const part = /^(KEYS|ARGV|returns|@\w)/;
/** Directives to tools, and the first line of a program. */
const directive = /^(#!|eslint|@ts-|prettier-|@vitest|<reference|c8 |v8 )/;

/** Returns the comments of a file by its extension; none for a file of another kind. */
export function commentsOf(file: string, text: string): Comment[] {
  const found = /\.(ts|tsx|mjs|js)$/.test(file)
    ? scriptComments(file, text)
    : /\.lua$/.test(file)
      ? matches(text, /^[ \t]*--(?!\[).*$/gm)
      : /\.css$/.test(file)
        ? matches(text, /\/\*[^]*?\*\//g)
        : /\.(sh|ya?ml)$|Dockerfile$/.test(file)
          ? matches(text, /^[ \t]*#.*$/gm)
          : [];
  return joined(text, found).filter((comment) => comment.text !== "" && !directive.test(comment.text));
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function scriptComments(file: string, text: string): Range[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const ranges = new Map<number, Range>();
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return;
    const found = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of found) ranges.set(pos, { from: pos, to: end });
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return [...ranges.values()].sort((one, other) => one.from - other.from);
}

function matches(text: string, pattern: RegExp): Range[] {
  return [...text.matchAll(pattern)].map(({ index, 0: match }) => ({ from: index, to: index + match.length }));
}

function joined(text: string, ranges: readonly Range[]): Comment[] {
  const comments: Comment[] = [];
  let end = -1;
  for (const { from, to } of ranges) {
    const own = text.slice(from, to);
    const before = comments.at(-1);
    const stands = isAlone(text, from);
    if (
      before !== undefined &&
      stands &&
      !part.test(plain(own)) &&
      isLine(own) &&
      isLine(before.lines[0]?.trim() ?? "") &&
      /^\r?\n[ \t]*$/.test(text.slice(end, from))
    )
      comments[comments.length - 1] = { ...before, lines: [...before.lines, ...own.split("\n")], text: `${before.text} ${plain(own)}` };
    else comments.push({ line: text.slice(0, from).split("\n").length, lines: wholeLines(text, from, to, stands), text: plain(own) });
    end = to;
  }
  return comments;
}

/** Nothing stands before it on its line. */
function isAlone(text: string, from: number): boolean {
  return text.slice(text.lastIndexOf("\n", from - 1) + 1, from).trim() === "";
}

function isLine(comment: string): boolean {
  return /^(\/\/|--|#)/.test(comment);
}

function wholeLines(text: string, from: number, to: number, stands: boolean): string[] {
  return text.slice(stands ? text.lastIndexOf("\n", from - 1) + 1 : from, to).split("\n");
}

function plain(comment: string): string {
  return comment
    .trim()
    .replace(/^\/\*+|\*+\/$/g, "")
    .split("\n")
    .map((line) => line.trim().replace(/^(\/\/+|--|#(?!!)|\*)\s?/, ""))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
}
