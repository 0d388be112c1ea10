import { BareLinks } from "./bare-link.js";
import { assemble, type FormattedText, type Mark, type Piece, type Style } from "./formatted-text.js";

/**
 * Parses mtcute's dialect of Markdown, which includes GramJS's. Marks must touch the text that they mark, so `2 ** 3` stays, and so does
 * each mark without its other side. Bare links stay whole. Passes once over the text; never throws.
 */
export function parseMarkdown(source: string): FormattedText {
  return assemble(source, new Scanner(source).scan());
}

const pairs: Readonly<Record<string, Style>> = {
  "**": { kind: "bold" },
  __: { kind: "italic" },
  "--": { kind: "underline" },
  "~~": { kind: "strike" },
  "||": { kind: "spoiler" },
};
const urlMax = 2_048;
const word = /[\p{L}\p{N}]+/uy;
/** The end of a bare link's last word: only marks and punctuation follow. */
const linkTail = /[^\p{L}\p{N}\s<>"`\]]*(?=[\s<>"`\]]|$)/uy;

class Scanner {
  private readonly pieces: Piece[] = [];
  /** Index of each opening mark without its other side, by its characters. */
  private readonly open = new Map<string, number>();
  private readonly brackets: number[] = [];
  private quote: number | undefined;
  private plain = "";
  private at = 0;
  /** Next index of each text; one that is behind `at` must be searched again. */
  private readonly ahead = new Map<string, number>();
  /** No bracket ends an address before this index, so each part of the text is searched once. */
  private unbalancedUntil = 0;
  private readonly links: BareLinks;

  constructor(private readonly source: string) {
    this.links = new BareLinks(source);
  }

  scan(): Piece[] {
    while (this.at < this.source.length) {
      if (this.atLineStart()) this.lineStart();
      if (!this.special() && !this.word()) this.take(this.source[this.at] ?? "");
    }
    this.endQuote();
    this.flush();
    return this.pieces;
  }

  /** Takes a mark at this place. Returns false when there is none. */
  private special(): boolean {
    const { source, at } = this;
    switch (source[at]) {
      case "\\":
        return this.escape();
      case "`":
        return this.block() || this.code();
      case "!":
        return this.emoji();
      case "[":
        this.bracket();
        return true;
      case "]":
        return this.link();
      default:
        return this.pair(source.slice(at, at + 2));
    }
  }

  private take(text: string): void {
    this.plain += text;
    this.at += text.length;
  }

  private escape(): boolean {
    const next = this.source[this.at + 1];
    if (next === undefined || !/[*_\-~|`[\]()\\>]/.test(next)) return false;
    this.plain += next;
    this.at += 2;
    return true;
  }

  /** Takes a whole word, or the bare link that begins with it. */
  private word(): boolean {
    word.lastIndex = this.at;
    const found = word.exec(this.source)?.[0];
    if (found === undefined) return false;
    const link = this.links.at(this.at);
    if (link === undefined) this.take(found);
    else {
      this.take(this.source.slice(this.at, link.end));
      if (link.hasPath) this.path();
    }
    return true;
  }

  /** Takes the rest of a bare link. Marks in it belong to it, unless one closes a mark that was opened before the link. */
  private path(): void {
    let brackets = 0;
    for (let underscores = 0; this.at < this.source.length; ) {
      const character = this.source[this.at] ?? "";
      const mark = this.source.slice(this.at, this.at + 2);
      if (/[\s<>"`]/.test(character) || (character === "]" && brackets === 0) || this.closesLink(mark, underscores)) return;
      brackets += character === "[" ? 1 : character === "]" ? -1 : 0;
      if (character === "\\" && this.escape()) continue;
      if (mark === "__") underscores += 1;
      this.take(Object.hasOwn(pairs, mark) ? mark : character);
    }
  }

  private closesLink(mark: string, underscores: number): boolean {
    if (!this.open.has(mark)) return false;
    if (mark === "**" || mark === "||") return true;
    linkTail.lastIndex = this.at;
    // A second `__` in the link closes the first one in it.
    return underscores % 2 === 0 && linkTail.test(this.source);
  }

  private bracket(): void {
    this.brackets.push(this.add({ source: "[" }));
    this.at += 1;
  }

  /** `!` before a bracket is a mark of its own. It is removed when the link turns out to be an emoji. */
  private emoji(): boolean {
    if (this.source[this.at + 1] !== "[") return false;
    this.add({ source: "!" });
    this.at += 1;
    this.bracket();
    return true;
  }

  private pair(mark: string): boolean {
    const style = Object.hasOwn(pairs, mark) ? pairs[mark] : undefined;
    if (style === undefined) return false;
    const [before = " ", after = " "] = [this.source[this.at - 1], this.source[this.at + 2]];
    // `__` inside a word belongs to a name.
    const inWord = mark === "__" && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
    const opening = this.open.get(mark);
    const closes = opening !== undefined && /\S/.test(before) && !inWord && this.hasTextSince(opening);
    if (!closes && (opening !== undefined || !/\S/.test(after) || inWord)) return false;
    const index = this.add({ source: mark, ...(closes ? { partner: opening } : {}) });
    if (closes) this.style(opening, style);
    if (closes) this.open.delete(mark);
    else this.open.set(mark, index);
    this.at += 2;
    return true;
  }

  private block(): boolean {
    const { source, at } = this;
    if (!source.startsWith("```", at)) return false;
    const end = this.next("```", at + 3);
    if (end < 0) return false;
    const head = /^```([\w+#.-]{0,32})\n/.exec(source.slice(at, at + 40));
    const content = source.slice(at + (head?.[0].length ?? 3), end).replace(/\n$/, "");
    if (content.trim() === "") return false;
    this.whole({ kind: "pre", language: head?.[1] ?? "" }, content);
    this.at = end + 3;
    return true;
  }

  private code(): boolean {
    const end = this.next("`", this.at + 1);
    const content = this.source.slice(this.at + 1, end);
    if (end < 0 || content.trim() === "") return false;
    this.whole({ kind: "code" }, content);
    this.at = end + 1;
    return true;
  }

  private link(): boolean {
    const opening = this.brackets.pop();
    if (opening === undefined || this.source[this.at + 1] !== "(" || !this.hasTextSince(opening)) return false;
    const end = this.urlEnd(this.at + 2);
    if (end < 0 || end - this.at > urlMax) return false;
    const url = this.source.slice(this.at + 2, end).replace(/\\([*_\-~|`[\]()\\>])/g, "$1");
    if (!/^[^\s<>]+$/.test(url)) return false;
    const before = this.pieces[opening - 1];
    if (url.startsWith("tg://emoji?") && before !== undefined && "source" in before && before.source === "!")
      this.pieces[opening - 1] = { text: "" };
    this.add({ source: this.source.slice(this.at, end + 1), partner: opening });
    this.style(opening, { kind: "link", url });
    this.at = end + 1;
    return true;
  }

  /** Returns the index of the bracket that ends a link's address: the balancing one, else the first one; below zero without any. */
  private urlEnd(from: number): number {
    const first = this.next(")", from);
    if (first < 0 || first - from > urlMax) return -1;
    if (from < this.unbalancedUntil) return first;
    let depth = 0;
    let at = from;
    for (; at - from <= urlMax; at++) {
      const character = this.source[at];
      if (character === undefined || character === " " || character === "\n" || character === "<") break;
      if (character === "\\") at += 1;
      else if (character === "(") depth += 1;
      else if (character === ")" && depth-- === 0) return at;
    }
    this.unbalancedUntil = at;
    return first;
  }

  private atLineStart(): boolean {
    return this.at === 0 || this.source[this.at - 1] === "\n";
  }

  /** Consecutive lines of a quote are one quote. */
  private lineStart(): void {
    const isQuoted = /^> ?\S/.test(this.source.slice(this.at, this.at + 3));
    if (!isQuoted) return this.endQuote();
    this.quote ??= this.add({ source: "", style: { kind: "quote", collapsed: false } });
    this.at += this.source[this.at + 1] === " " ? 2 : 1;
  }

  private endQuote(): void {
    if (this.quote === undefined) return;
    // The line break before belongs to the text, not to the quote.
    const broken = this.plain.endsWith("\n");
    if (broken) this.plain = this.plain.slice(0, -1);
    this.add({ source: "", partner: this.quote });
    if (broken) this.plain = "\n";
    this.quote = undefined;
  }

  private whole(style: Style, content: string): void {
    const opening = this.add({ source: "", style });
    this.plain = content;
    this.add({ source: "", partner: opening });
  }

  private add(mark: Mark): number {
    this.flush();
    return this.pieces.push(mark) - 1;
  }

  private flush(): void {
    if (this.plain !== "") this.pieces.push({ text: this.plain });
    this.plain = "";
  }

  private style(index: number, style: Style): void {
    const mark = this.pieces[index];
    if (mark !== undefined && !("text" in mark)) mark.style = style;
  }

  private hasTextSince(index: number): boolean {
    return this.plain !== "" || this.pieces.length - 1 > index;
  }

  /** Returns `indexOf`, but searches each part of the text once. */
  private next(text: string, from: number): number {
    const cached = this.ahead.get(text);
    if (cached !== undefined && (cached >= from || cached < 0)) return cached;
    const found = this.source.indexOf(text, from);
    this.ahead.set(text, found);
    return found;
  }
}
