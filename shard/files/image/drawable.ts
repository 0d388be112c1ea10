import { type CodePoints, readCharacterMap } from "./character-map.js";
import { fontFiles } from "./fonts.js";
import { drawableText } from "./drawable-text.js";

/** Which characters the shipped fonts have a shape for. Without one, a card shows a box. */
export class Drawable {
  private static loaded: Promise<Drawable> | undefined;

  private constructor(private readonly points: readonly CodePoints[]) {}

  /** Reads the character maps of all fonts, once in a process: the fonts are as they were installed. */
  static load(): Promise<Drawable> {
    return (this.loaded ??= Promise.all(fontFiles().map(readCharacterMap)).then((maps) => new Drawable(joined(maps.flat()))));
  }

  /** The characters of a card for `text` that would be boxes, each once, in the order of the text. Does no I/O. */
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

/** Spaces, line breaks, and what only tells others how to look. */
const shapeless = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}]$/u;

/** In order, and none touching the next. */
function joined(points: CodePoints[]): CodePoints[] {
  const result: CodePoints[] = [];
  for (const [first, last] of points.sort(([a], [b]) => a - b)) {
    const [start, end] = result.at(-1) ?? [0, -2];
    if (first > end + 1) result.push([first, last]);
    else result[result.length - 1] = [start, Math.max(end, last)];
  }
  return result;
}
