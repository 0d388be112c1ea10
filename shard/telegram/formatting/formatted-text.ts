/** A stretch of text that looks otherwise. Offset and length count UTF-16 units, as the platform does. */
export interface Span {
  readonly style: Style;
  readonly offset: number;
  readonly length: number;
}

export type Style =
  | { readonly kind: "bold" | "italic" | "underline" | "strike" | "spoiler" | "code" }
  | { readonly kind: "quote"; readonly collapsed: boolean }
  | { readonly kind: "pre"; readonly language: string }
  | { readonly kind: "link"; readonly url: string };

export interface FormattedText {
  readonly text: string;
  readonly spans: readonly Span[];
}

/**
 * A text cut up by a parser: `text` stands as it is; a mark opens or closes a style, and is text itself (`source`) unless its other side is found.
 * `partner` of a closing mark is the index of the mark that it closes.
 */
export type Piece = { readonly text: string } | Mark;

export interface Mark {
  readonly source: string;
  partner?: number;
  /** Set on the opening side, by whichever side knows it. */
  style?: Style;
}

/** Puts the pieces together again. Nothing that the writer wrote is lost: marks without partner stay, and what would leave nothing is left as it was. */
export function assemble(source: string, pieces: readonly Piece[]): FormattedText {
  let text = "";
  const begun = new Map<number, number>();
  const spans: Span[] = [];
  for (const [index, piece] of pieces.entries()) {
    if ("text" in piece) text += piece.text;
    else if (piece.style !== undefined) begun.set(index, text.length);
    else if (piece.partner === undefined) text += piece.source;
    else {
      const opening = pieces[piece.partner];
      const offset = begun.get(piece.partner) ?? text.length;
      if (opening !== undefined && !("text" in opening) && opening.style !== undefined && text.length > offset)
        spans.push({ style: opening.style, offset, length: text.length - offset });
    }
  }
  return text.trim() === ""
    ? { text: source, spans: [] }
    : { text, spans: spans.toSorted((a, b) => a.offset - b.offset || b.length - a.length) };
}
