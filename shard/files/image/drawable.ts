import { type CodePoints, readCharacterMap } from "./character-map.js";
import { fontFiles } from "./fonts.js";
import { drawableText } from "./drawable-text.js";

/** Knows which characters the shipped fonts have a shape for. A card shows a box for any other. */
export class Drawable {
  private static loaded: Promise<Drawable> | undefined;

  private constructor(private readonly points: readonly CodePoints[]) {}

  /** Reads the character maps of all fonts, once per process: the fonts do not change after the installation. */
  static load(): Promise<Drawable> {
    return (this.loaded ??= Promise.all(fontFiles().map(readCharacterMap)).then((maps) => new Drawable(joined(maps.flat()))));
  }

  /** Returns the characters of a card for `text` that would be boxes, each once, in the order of the text. Does no I/O. */
  missing(text: string): string[] {
    return [...new Set(drawableText(text))].filter((character) => !shapeless.test(character) && !this.has(character.codePointAt(0) ?? 0));
  }

  private has(point: number): boolean {
    let [low, high] = [0, this.points.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const [first, last] = this.points[middle] ?? [0, 0];
      if (point < first) high = middle - 1;
      else if (point > last) low = middle + 1;
      else return true;
    }
    return false;
  }
}

/** Spaces, line breaks, and characters that only change how others are shown. */
const shapeless = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]$/u;

/** Returns the ranges in order, with touching ones joined. */
function joined(points: CodePoints[]): CodePoints[] {
  const result: CodePoints[] = [];
  for (const [first, last] of points.sort(([a], [b]) => a - b)) {
    const [start, end] = result.at(-1) ?? [0, -2];
    if (first > end + 1) result.push([first, last]);
    else result[result.length - 1] = [start, Math.max(end, last)];
  }
  return result;
}
