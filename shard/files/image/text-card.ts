import type { Sharp } from "sharp";
import { storyCanvas } from "../../../shared/limits.js";
import { codec, codecSeconds } from "./codec.js";
import { escapeXml } from "./font-config.js";
import { withWordBreaks } from "./line-breaks.js";
import { drawableText, wholeCharacters } from "./drawable-text.js";

// White on this colour has a contrast of 7.7 : 1.
const background = "#075E54";
const wrapWidth = storyCanvas.width - 2 * 80;

// Lines wrap at 920 pixels; slanted or swashed letters may extend beyond the line a little.
const box = { width: wrapWidth + 2 * 30, height: storyCanvas.height - 2 * 120 };

// Pixels, largest first. Binary search over 15 sizes needs at most five drawings.
const fontSizes = [112, 104, 96, 88, 80, 72, 64, 58, 52, 48, 44, 40, 36, 32, 28];
const smallest = 28;

/**
 * Draws a text story: bold white, centred, on a dark green 1080 x 1920 JPEG. Long text shrinks, then its last lines are cut. Text is never
 * markup. Needs `FONTCONFIG_FILE` in the environment before the first call.
 */
export async function drawTextCard(text: string): Promise<Uint8Array> {
  const shown = drawableText(text);
  const block = shown === "" ? nothing : cutToBox(await drawLargestFitting(shown));
  const card = block.height > 0 ? onBackground(block) : codec({ create: { ...storyCanvas, channels: 3, background } });
  return card.timeout({ seconds: codecSeconds }).jpeg({ quality: 92, chromaSubsampling: "4:4:4" }).toBuffer();
}

/**
 * Puts the text in the middle of the canvas. Colouring under and around the text is cheaper: laying the text over a whole canvas doubles
 * the cost of the card.
 */
function onBackground({ pixels, width, height }: TextBlock): Sharp {
  const left = Math.round((storyCanvas.width - width) / 2);
  const top = Math.round((storyCanvas.height - height) / 2);
  const [right, bottom] = [storyCanvas.width - width - left, storyCanvas.height - height - top];
  return codec(pixels, { raw: { width, height, channels: 4 } })
    .flatten({ background })
    .extend({ left, top, right, bottom, background });
}

/** Drawn text in RGBA, four bytes per pixel. */
interface TextBlock {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

const nothing: TextBlock = { pixels: Buffer.alloc(0), width: 0, height: 0 };

/** Returns the drawing at the largest size that fits into the box, else at the smallest size. */
async function drawLargestFitting(text: string): Promise<TextBlock> {
  const { shown, leastEms } = cutToRoom(text);
  let best: TextBlock | undefined;
  let [low, high] = [0, fontSizes.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const size = fontSizes[middle] ?? smallest;
    const block = leastEms <= roomEms(size) ? await draw(shown, size) : undefined;
    if (block !== undefined && fits(block)) [best, high] = [block, middle];
    else low = middle + 1;
  }
  return low < fontSizes.length - 1 && best !== undefined ? best : drawSmallest(shown);
}

/**
 * A few characters are ten times as wide as a letter. If thousands of them exceed the largest drawing, half of them still fill the card.
 */
async function drawSmallest(text: string): Promise<TextBlock> {
  return (await draw(text, smallest)) ?? drawSmallest(wholeCharacters(text, text.length >> 1));
}

/**
 * Returns the text that fits into the box at the smallest size, and its least width in ems. Text that cannot fit is not drawn: 6,000 large
 * ideographs are 125 MB, and a drawing is at most 32,767 pixels high.
 */
function cutToRoom(text: string): { shown: string; leastEms: number } {
  let leastEms = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    if (leastEms > roomEms(smallest)) return { shown: text.slice(0, index), leastEms };
    leastEms += phrase.test(segment) ? 2 : wide.test(segment) ? 0.9 : 0.2;
  }
  return { shown: text, leastEms };
}

/** Ideographs, syllables and emoji fill a square. The narrowest letters take a fifth of one. */
const wide = /^[\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3ffff}]/u;

/** Characters that hold a whole sentence. */
const phrase = /^[\ufdfa-\ufdfd]/;

/** Returns the room of the box in ems: lines times their length. No line is lower than its font size. */
function roomEms(size: number): number {
  return (box.height / size) * (wrapWidth / size);
}

const fits = ({ width, height }: TextBlock): boolean => width <= box.width && height <= box.height;

/** The layout finds a digit in the text font before its keycap, so a span keeps the sequence in one font. */
const keycaps = /[0-9#*]\ufe0f?\u20e3/g;
const emojiSpan = `<span font_family="Noto Color Emoji" font_weight="normal">$&</span>`;

/** Returns undefined when the drawing would be larger than any can be. */
async function draw(text: string, size: number): Promise<TextBlock | undefined> {
  const input = {
    text: `<span foreground="white" insert_hyphens="false">${escapeXml(withWordBreaks(text)).replace(keycaps, emojiSpan)}</span>`,
    font: `Noto Sans, Noto Color Emoji Bold ${size}`,
    width: wrapWidth,
    align: "centre",
    wrap: "word-char",
    dpi: 72, // one point is one pixel
    rgba: true,
  } as const;
  try {
    const { data, info } = await codec({ text: input }).timeout({ seconds: codecSeconds }).raw().toBuffer({ resolveWithObject: true });
    return { pixels: data, width: info.width, height: info.height };
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (message.includes("no text to render")) return nothing; // only characters without a shape
    if (message.includes("too big") && text.length > 1) return undefined;
    throw error;
  }
}

/** Cuts at the last empty row inside the box, so that lines stay whole, or at the box's edge when lines touch each other. */
function cutToBox(block: TextBlock): TextBlock {
  const left = Math.max(0, Math.ceil((block.width - box.width) / 2));
  const width = Math.min(block.width, box.width);
  let height = Math.min(block.height, box.height);
  if (block.height > box.height) {
    while (height > 0 && !isEmptyRow(block, height)) height--;
    if (height < box.height / 2) height = box.height;
  }
  if (width === block.width) return { pixels: block.pixels.subarray(0, height * width * 4), width, height };
  const rows = Array.from({ length: height }, (_, y) =>
    block.pixels.subarray((y * block.width + left) * 4, (y * block.width + left + width) * 4),
  );
  return { pixels: Buffer.concat(rows), width, height };
}

function isEmptyRow({ pixels, width }: TextBlock, y: number): boolean {
  for (let alpha = y * width * 4 + 3; alpha < (y + 1) * width * 4; alpha += 4) if (pixels[alpha] !== 0) return false;
  return true;
}
