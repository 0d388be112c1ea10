/** A part of a document with its own height and the common width. */
export interface Drawing {
  readonly height: number;
  readonly content: readonly string[];
}

/** Returns an element's markup. Children are markup, or text that will be escaped. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly (string | { readonly text: string })[] = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(typeof value === "number" ? tidy(value) : value)}"`);
  const inner = children.map((child) => (typeof child === "string" ? child : escaped(child.text))).join("");
  return inner === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${inner}</${name}>`;
}

/** Returns a line of text; `anchor` is the side of the text that is at `x`. */
export function label(
  x: number,
  y: number,
  text: string,
  { kind = "text", anchor = "start", transform }: { kind?: string; anchor?: "start" | "middle" | "end"; transform?: string } = {},
): string {
  return element("text", { x, y, class: kind, "text-anchor": anchor, ...(transform !== undefined && { transform }) }, [{ text }]);
}

export function rule(x1: number, y1: number, x2: number, y2: number, kind: string): string {
  return element("line", { x1, y1, x2, y2, class: kind });
}

/** Rounds to a tenth of a pixel, which is precise enough. */
export function tidy(value: number): string {
  return String(Math.round(value * 10) / 10);
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
