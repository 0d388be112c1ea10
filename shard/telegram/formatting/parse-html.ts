import { assemble, type FormattedText, type Mark, type Piece, type Style } from "./formatted-text.js";

/**
 * Parses the platform's HTML style. Keeps white space, and keeps unknown tags, tags without their other side, and a `<` or `&` that begins
 * nothing as text. Passes once over the text; never throws.
 */
export function parseHtml(source: string): FormattedText {
  return assemble(source, new Scanner(source).scan());
}

interface Tag {
  readonly source: string;
  readonly name: string;
  readonly closes: boolean;
  readonly attributes: string;
}

interface Opening {
  readonly mark: Mark;
  readonly index: number;
  readonly style: Style;
}

class Scanner {
  private readonly pieces: Piece[] = [];
  /** Opening marks without their other side, by tag. */
  private readonly open = new Map<string, Opening[]>();
  private plain = "";
  /** Index of the next `>`; when it is behind the reader, it must be searched again. */
  private end = -1;

  constructor(private readonly source: string) {}

  scan(): Piece[] {
    const { source } = this;
    for (let at = 0; at < source.length; ) {
      const tag = source[at] === "<" ? this.tagAt(at) : undefined;
      if (tag !== undefined && this.take(tag)) {
        at += tag.source.length;
        continue;
      }
      const [text, length] = source[at] === "&" ? readReference(source, at) : [source[at] ?? "", 1];
      this.plain += text;
      at += length;
    }
    this.flush();
    return this.pieces;
  }

  /** Returns false when the tag must stay as text. */
  private take({ source, name, closes, attributes }: Tag): boolean {
    if (name === "br") {
      this.plain += "\n";
      return true;
    }
    if (closes) return this.close(name, source);
    const style = styleOf(name, attributes);
    if (style === undefined) return false;
    const mark: Mark = { source };
    this.flush();
    const opening = { mark, index: this.pieces.push(mark) - 1, style };
    const waiting = this.open.get(name);
    if (waiting === undefined) this.open.set(name, [opening]);
    else waiting.push(opening);
    return true;
  }

  private close(name: string, source: string): boolean {
    const opening = this.open.get(name)?.pop();
    if (opening === undefined) return false;
    const { mark, index, style } = opening;
    this.flush();
    this.pieces.push({ source, partner: index });
    mark.style = name === "pre" ? this.preStyle(index) : style;
    return true;
  }

  /** A block of code may contain a single `code` tag, because the platform knows no code inside code. */
  private preStyle(index: number): Style {
    const inner = this.pieces[index + 1];
    const last = this.pieces.at(-2);
    const isWhole = inner !== undefined && !("text" in inner) && last !== undefined && !("text" in last) && last.partner === index + 1;
    if (!isWhole || inner.style?.kind !== "code") return { kind: "pre", language: "" };
    const language = /\bclass\s*=\s*["']?language-([\w+#.-]{1,32})/i.exec(inner.source)?.[1] ?? "";
    this.pieces[index + 1] = { text: "" };
    this.pieces[this.pieces.length - 2] = { text: "" };
    return { kind: "pre", language };
  }

  private tagAt(at: number): Tag | undefined {
    const { source } = this;
    if (this.end < at) this.end = source.indexOf(">", at);
    if (this.end < 0) this.end = source.length;
    const next = source.indexOf("<", at + 1);
    if (this.end === source.length || this.end - at > tagMax || (next >= 0 && next < this.end)) return undefined;
    const whole = source.slice(at, this.end + 1);
    const [, slash = "", name = ""] = /^<(\/?)([a-z][a-z-]{0,15})(?=[\s/>])/i.exec(whole) ?? [];
    return name === ""
      ? undefined
      : { source: whole, name: name.toLowerCase(), closes: slash !== "", attributes: whole.slice(name.length + 1, -1) };
  }

  private flush(): void {
    if (this.plain !== "") this.pieces.push({ text: this.plain });
    this.plain = "";
  }
}

const tagMax = 2_200;

/** Returns `undefined` for a tag that the style does not have. */
function styleOf(name: string, attributes: string): Style | undefined {
  switch (name) {
    case "b":
    case "strong":
      return { kind: "bold" };
    case "i":
    case "em":
      return { kind: "italic" };
    case "u":
    case "ins":
      return { kind: "underline" };
    case "s":
    case "strike":
    case "del":
      return { kind: "strike" };
    case "code":
      return { kind: "code" };
    case "pre":
      return { kind: "pre", language: "" };
    case "blockquote":
      return { kind: "quote", collapsed: /\sexpandable(?=[\s=/]|$)/i.test(attributes.replace(/"[^"]*"|'[^']*'/g, "")) };
    case "spoiler":
    case "tg-spoiler":
      return { kind: "spoiler" };
    case "span":
      return /(?:^|\s)class\s?=\s?["']?tg-spoiler["']?\s*$/i.test(attributes) ? { kind: "spoiler" } : undefined;
    case "a": {
      const [, double, single, bare] = /(?:^|\s)href\s?=\s?(?:"([^"]+)"|'([^']+)'|([^\s"'>]+))/i.exec(attributes) ?? [];
      const url = double ?? single ?? bare;
      return url === undefined
        ? undefined
        : { kind: "link", url: url.replace(/&\w+;|&#\w+;/g, (reference) => readReference(reference, 0)[0]) };
    }
    case "tg-emoji": {
      const id = /(?:^|\s)emoji-id\s?=\s?["']?([1-9]\d{0,18})["']?(?:\s|$)/i.exec(attributes)?.[1];
      return id === undefined ? undefined : { kind: "link", url: `tg://emoji?id=${id}` };
    }
    default:
      return undefined;
  }
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Returns the character of a reference and the length of its source. Anything that is no reference is text. */
function readReference(source: string, at: number): readonly [text: string, length: number] {
  const [whole = "&", name = ""] = /^&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,4});/i.exec(source.slice(at, at + 12)) ?? [];
  const code = name.startsWith("#") ? Number(name.replace(/^#x/i, "0x").replace("#", "")) : undefined;
  const isCharacter = code !== undefined && code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  const text = isCharacter ? String.fromCodePoint(code) : Object.hasOwn(named, name) ? named[name] : undefined;
  return text === undefined ? ["&", 1] : [text, whole.length];
}
