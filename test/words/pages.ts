/** A paragraph or list item of a page. */
interface Block {
  /** From 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

export interface PageFaults {
  /** Each with its line. */
  readonly faults: readonly string[];
  /** Words of a sentence, on average. */
  readonly meanWords: number;
}

const lineMost = 140;
const linesMost = 5;
export const meanMost = 20;
const wordsMost = 35;

/** Judges the text of a Markdown page. Code, headings, HTML and tables are no text, and their lines may be longer. */
export function judgePage(text: string): PageFaults {
  const blocks = textBlocks(text);
  const faults: string[] = [];
  const lengths: number[] = [];
  for (const { line, lines } of blocks) {
    if (lines.length > linesMost) faults.push(`${line}: a paragraph of ${lines.length} lines`);
    lines.forEach((own, at) => own.length > lineMost && faults.push(`${line + at}: a line of ${own.length} characters`));
    for (const sentence of sentencesOf(lines.join(" "))) {
      const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
      if (words === 0) continue;
      lengths.push(words);
      if (words > wordsMost) faults.push(`${line}: a sentence of ${words} words`);
    }
  }
  return { faults, meanWords: lengths.length === 0 ? 0 : lengths.reduce((sum, words) => sum + words, 0) / lengths.length };
}

function textBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; lines: string[] } | undefined;
  let inCode = false;
  text.split("\n").forEach((line, at) => {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const isText = !inCode && line.trim() !== "" && !/^\s*(```|~~~|[#|<>]|!?\[[^\]]*\]\([^)]*\)$|---+$)/.test(line);
    const begins = /^\s*([-*+]|\d+\.)\s/.test(line);
    if (!isText || begins) open = undefined;
    if (!isText) return;
    if (open === undefined) blocks.push((open = { line: at + 1, lines: [] }));
    open.lines.push(line);
  });
  return blocks;
}

function sentencesOf(text: string): string[] {
  return text
    .replace(/`[^`]*`/g, "code")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .split(/(?<=[.!?:;])["')*]*\s+/);
}
