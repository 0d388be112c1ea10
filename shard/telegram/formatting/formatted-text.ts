/** A formatted part of a text. Offset and length count UTF-16 units, as the platform does. */
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
 * A part of a parsed text. A mark opens or closes a style; without its other side it is text itself (`source`). `partner` of a closing
 * mark is the index of its opening mark.
 */
export type Piece = { readonly text: string } | Mark;

export interface Mark {
  readonly source: string;
  partner?: number;
  /** Set on the opening mark, by the side that knows the style. */
  style?: Style;
}

/** Joins the pieces. Nothing is lost: marks without a partner stay, and a text that would become empty is left as it was. */
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
