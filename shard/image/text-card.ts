import { storyCanvas } from "../../shared/limits.js";
import { codec, codecSeconds } from "./codec.js";
import { escapeXml } from "./font-config.js";

// White on it has a contrast of 7.7 : 1.
const background = "#075E54";
const wrapWidth = storyCanvas.width - 2 * 80;

// Lines wrap at 920 pixels; slanted or swashed letters may lean out of the line a little.
const box = { width: wrapWidth + 2 * 30, height: storyCanvas.height - 2 * 120 };

// Pixels, largest first. Binary search over 15 sizes is at most five drawings.
const fontSizes = [112, 104, 96, 88, 80, 72, 64, 58, 52, 48, 44, 40, 36, 32, 28];
const smallest = 28;

// What can stand in the box at the smallest size, with room to spare: 28 px are 45 lines of at most 115 of the narrowest letters.
const maxCharacters = 6_000;
const maxLines = 60;

/**
 * Draws a text story: bold white, centred, on a dark green 1080 x 1920 JPEG. The font shrinks for long text;
 * at the smallest size the lines that still do not fit are cut off. Colour emoji keep their colours. Text is never read as markup.
 * Needs `FONTCONFIG_FILE` in the environment before the first call.
 */
export async function drawTextCard(text: string): Promise<Uint8Array> {
  const shown = presentable(text);
  const card = codec({ create: { ...storyCanvas, channels: 3, background } });
  if (shown !== "") {
    const block = cutToBox(await drawLargestFitting(shown));
    const left = Math.round((storyCanvas.width - block.width) / 2);
    const top = Math.round((storyCanvas.height - block.height) / 2);
    const raw = { width: block.width, height: block.height, channels: 4 } as const;
    card.composite([{ input: block.pixels, raw, left, top }]);
  }
  return card.timeout({ seconds: codecSeconds }).jpeg({ quality: 92, chromaSubsampling: "4:4:4" }).toBuffer();
}

/** Drawn text: RGBA, four bytes per pixel. */
interface TextBlock {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The largest size of the ladder whose drawing stays inside the box, else the smallest one as it is. */
async function drawLargestFitting(text: string): Promise<TextBlock> {
  const characters = [...new Intl.Segmenter().segment(text)].length;
  let best: TextBlock | undefined;
  let [low, high] = [0, fontSizes.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const size = fontSizes[middle] ?? smallest;
    const block = characters <= capacity(size) ? await draw(text, size) : undefined;
    if (block !== undefined && fits(block)) [best, high] = [block, middle];
    else low = middle + 1;
  }
  return low < fontSizes.length - 1 && best !== undefined ? best : drawSmallest(text);
}

/** A few characters are ten times as wide as a letter: when thousands of them exceed the largest drawing, half of them still fill the card. */
async function drawSmallest(text: string): Promise<TextBlock> {
  return (await draw(text, smallest)) ?? drawSmallest(wholeCharacters(text, text.length >> 1));
}

/**
 * How many of the narrowest characters (0.2 of the size) the box can take. What is longer is not even drawn at this size:
 * 6,000 ideographs in large letters are 125 MB, and no drawing may be higher than 32,767 pixels.
 */
function capacity(size: number): number {
  return (box.height / size) * (wrapWidth / (0.2 * size));
}

const fits = ({ width, height }: TextBlock): boolean => width <= box.width && height <= box.height;

/** Undefined when the drawing would be larger than any can be. */
async function draw(text: string, size: number): Promise<TextBlock | undefined> {
  const input = {
    text: `<span foreground="white" insert_hyphens="false">${escapeXml(text)}</span>`,
    font: `Noto Sans, Noto Color Emoji Bold ${size}`,
    width: wrapWidth,
    align: "centre",
    wrap: "word-char",
    dpi: 72, // makes points pixels
    rgba: true,
  } as const;
  try {
    const { data, info } = await codec({ text: input }).timeout({ seconds: codecSeconds }).raw().toBuffer({ resolveWithObject: true });
    return { pixels: data, width: info.width, height: info.height };
  } catch (error) {
    if (text.length > 1 && error instanceof Error && error.message.includes("too big")) return undefined;
    throw error;
  }
}

/** Whole lines only: the cut goes through the last empty row inside the box, or at the box's edge when lines touch each other. */
function cutToBox(block: TextBlock): TextBlock {
  const left = Math.max(0, Math.ceil((block.width - box.width) / 2));
  const width = Math.min(block.width, box.width);
  let height = Math.min(block.height, box.height);
  if (block.height > box.height) {
    while (height > 0 && !isEmptyRow(block, height)) height--;
    if (height < box.height / 2) height = box.height;
  }
  if (width === block.width) return { pixels: block.pixels.subarray(0, height * width * 4), width, height };
  const rows = Array.from({ length: height }, (_, y) => block.pixels.subarray((y * block.width + left) * 4, (y * block.width + left + width) * 4));
  return { pixels: Buffer.concat(rows), width, height };
}

function isEmptyRow({ pixels, width }: TextBlock, y: number): boolean {
  for (let alpha = y * width * 4 + 3; alpha < (y + 1) * width * 4; alpha += 4) if (pixels[alpha] !== 0) return false;
  return true;
}

/**
 * What of `text` is drawn: one kind of line break, no control characters, no halves of characters, no towers of accents,
 * and no more than could ever fit, so that 64 KiB cost as little as 6 KB.
 */
function presentable(text: string): string {
  const wellFormed = Buffer.from(text.slice(0, 2 * maxCharacters)).toString();
  const clean = wellFormed
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, "\n")
    .replaceAll("\t", "    ")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufeff\ufff9-\ufffb\ufffe\uffff]/g, "")
    .replace(/(\p{M}{6})\p{M}+/gu, "$1")
    .split("\n", maxLines)
    .join("\n")
    .trim();
  return wholeCharacters(clean, maxCharacters);
}

/** The first `length` UTF-16 units, without half a character at the end. */
function wholeCharacters(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
