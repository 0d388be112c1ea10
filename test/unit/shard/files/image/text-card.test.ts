import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeFontConfig } from "../../../../../shard/files/image/font-config.js";
import { drawTextCard } from "../../../../../shard/files/image/text-card.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "card-test-"));
  process.env["FONTCONFIG_FILE"] = await writeFontConfig(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** The content of a card: the smallest rectangle around everything that is not background, and its shares of white and coloured pixels. */
interface Card {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly white: number;
  readonly coloured: number;
  readonly ink: number;
  /** The pixels of the rectangle, row by row: 1 for ink. */
  readonly pixels: Uint8Array;
  /** Equal for equal pixels in rectangles of equal size. */
  readonly shape: string;
  readonly lines: number;
}

async function card(text: string): Promise<Card> {
  const jpeg = await drawTextCard(text);
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([1080, 1920, 3]);
  let [left, right, top, bottom, white, coloured, lines, inked] = [1080, -1, 1920, -1, 0, 0, 0, false];
  const inkAt = new Uint8Array(1080 * 1920);
  let ink = 0;
  let blank: Buffer | undefined;
  for (let y = 0; y < 1920; y++) {
    let rowInk = false;
    const row = data.subarray(y * 1080 * 3, (y + 1) * 1080 * 3);
    // Most rows equal an earlier row without ink, byte for byte.
    if (blank?.equals(row) === true) {
      inked = false;
      continue;
    }
    for (let x = 0; x < 1080; x++) {
      const at = (y * 1080 + x) * 3;
      const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
      if (Math.abs(red - 0x07) + Math.abs(green - 0x5e) + Math.abs(blue - 0x54) < 150) continue;
      rowInk = true;
      if (red > 235 && green > 235 && blue > 235) white++;
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > 120) coloured++;
      [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), y];
      inkAt[y * 1080 + x] = 1;
      ink++;
    }
    if (!rowInk) blank = row;
    if (rowInk && !inked) lines++;
    inked = rowInk;
  }
  const rows = Array.from({ length: Math.max(0, bottom - top + 1) }, (_, y) =>
    inkAt.subarray((top + y) * 1080 + left, (top + y) * 1080 + right + 1),
  );
  const pixels = Buffer.concat(rows);
  const shape = `${right - left + 1} ${createHash("sha256").update(pixels).digest("hex")}`;
  return { left, right, top, bottom, white, coloured, ink, lines, pixels, shape };
}

const height = ({ top, bottom }: Card): number => bottom - top + 1;
const width = ({ left, right }: Card): number => right - left + 1;

describe("a text story", () => {
  it("is bold white, centred on dark green", async () => {
    const { data } = await sharp(await drawTextCard(" "))
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (const at of [0, 1080 * 960 * 3, data.length - 3]) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
      expect(Math.abs(red - 0x07) + Math.abs(green - 0x5e) + Math.abs(blue - 0x54)).toBeLessThan(8);
    }
    const hello = await card("Hello");
    expect(hello.white).toBeGreaterThan(3_000);
    expect(hello.coloured).toBe(0);
    expect(Math.abs(hello.left + hello.right - 1079)).toBeLessThan(4);
    expect(Math.abs(hello.top + hello.bottom - 1919)).toBeLessThan(4);
  });

  let box: Card | undefined;
  const scripts: [name: string, one: string, other: string][] = [
    ["Latin", "A", "B"],
    ["Latin with marks", "Ä", "Å"],
    ["Cyrillic", "Ж", "Щ"],
    ["Greek", "Ω", "Σ"],
    ["Vietnamese", "ệ", "ữ"],
    ["Arabic", "س", "م"],
    ["Hebrew", "ש", "א"],
    ["Devanagari", "न", "क"],
    ["Thai", "ส", "ช"],
    ["Chinese", "你", "好"],
    ["Chinese, traditional", "龍", "體"],
    ["Japanese", "こ", "カ"],
    ["Chinese of Hong Kong", "嘅", "咗"],
    ["Korean", "안", "녕"],
    ["Tamil", "த", "ழ"],
    ["Bengali", "ব", "ক"],
    ["Georgian", "ქ", "ა"],
    ["Armenian", "Հ", "լ"],
    ["Ethiopic", "አ", "ሰ"],
    ["Khmer", "ភ", "ខ"],
    ["Burmese", "မ", "ဘ"],
    ["Telugu", "త", "న"],
    ["Kannada", "ಕ", "ಭ"],
    ["Malayalam", "മ", "ഭ"],
    ["Gujarati", "ગ", "ભ"],
    ["Gurmukhi", "ਪ", "ਬ"],
    ["Odia", "ଓ", "ଭ"],
    ["Sinhala", "ස", "හ"],
    ["Lao", "ພ", "ສ"],
    ["Tibetan", "བ", "ད"],
    ["Mongolian", "ᠮ", "ᠭ"],
    ["Cherokee", "Ꮳ", "Ꮃ"],
    ["Canadian syllabics", "ᐃ", "ᓄ"],
    ["Javanese", "ꦧ", "ꦱ"],
    ["Balinese", "ᬩ", "ᬲ"],
    ["Cham", "ꨌ", "ꨀ"],
    ["Yi", "ꆈ", "ꌠ"],
    ["Syriac", "ܣ", "ܘ"],
    ["Thaana", "ދ", "ވ"],
    ["N'Ko", "ߒ", "ߞ"],
    ["Adlam", "𞤀", "𞤣"],
    ["Tifinagh", "ⵜ", "ⵎ"],
    ["Vai", "ꕙ", "ꔤ"],
    ["Ol Chiki", "ᱥ", "ᱛ"],
    ["Meetei Mayek", "ꯃ", "ꯇ"],
    ["Chakma", "𑄌", "𑄟"],
    ["Lisu", "ꓢ", "ꓤ"],
    ["mathematical letters", "𝓗", "𝕎"],
    ["mathematical signs", "∑", "∞"],
    ["symbols", "♔", "☂"],
    ["emoji", "😀", "🎉"],
    ["flags", "🇮🇱", "🇧🇷"],
    ["keycaps", "1️⃣", "#️⃣"],
    ["skin tones", "👍🏻", "👍🏿"],
  ];
  it.each(scripts)("shows %s: different characters differ, and none is a box", async (_name, one, other) => {
    const [first, second] = [await card(one), await card(other)];
    box ??= await card("\u{10fffd}");
    for (const drawn of [first, second]) {
      expect(drawn.ink).toBeGreaterThan(300);
      expect(drawn.shape).not.toBe(box.shape);
      // The fallback box with the character's number has a frame: a solid first row and first column.
      expect(isFramed(drawn)).toBe(false);
    }
    expect(isFramed(box)).toBe(true);
    expect(first.shape).not.toBe(second.shape);
  });

  it("shows emoji in colour and letters beside them in white", async () => {
    const mixed = await card("ok 🎉");
    expect(mixed.coloured).toBeGreaterThan(1_000);
    expect(mixed.white).toBeGreaterThan(1_000);
    expect((await card("Ж你ש 1#*")).coloured).toBe(0);
    expect(width(await card("1️⃣"))).toBeLessThan(1.1 * width(await card("😀")));
  });

  it("joins Arabic letters, forms Hindi clusters and families, and writes Hebrew from right to left", async () => {
    expect(width(await card("سلام"))).toBeLessThan(0.9 * width(await card("س ل ا م")));
    expect(width(await card("क्ष"))).toBeLessThan(0.8 * width(await card("कष")));
    expect(width(await card("👨‍👩‍👧‍👦"))).toBeLessThan(0.5 * width(await card("👨👩👧👦")));
    // In visual order `אב`, drawn right to left, equals `בא` forced left to right.
    expect((await card("אב")).shape).toBe((await card("\u202dבא\u202c")).shape);
    expect((await card("אב")).shape).not.toBe((await card("בא")).shape);
  });

  it("shrinks for long text, and only as far as it must", async () => {
    const line = "The quick brown fox jumps over the lazy dog. ";
    const [word, few, many] = [await card("The"), await card(line.repeat(4)), await card(line.repeat(20))];
    const capital = async (drawn: Card): Promise<number> => height(drawn) / drawn.lines;
    expect(await capital(word)).toBeGreaterThan(75);
    expect(await capital(few)).toBeGreaterThan(await capital(many));
    for (const drawn of [few, many]) {
      expect(height(drawn)).toBeGreaterThan(1_200);
      expect(drawn.top).toBeGreaterThanOrEqual(119);
      expect(drawn.bottom).toBeLessThanOrEqual(1_800);
      expect([drawn.left > 40, drawn.right < 1040]).toEqual([true, true]);
    }
  });

  const endless: [name: string, text: string][] = [
    ["sentences", "The quick brown fox jumps over the lazy dog. ".repeat(1500)],
    ["one word", "W".repeat(65_536)],
    ["narrow letters", "i".repeat(65_536)],
    ["lines", "a\n".repeat(32_768)],
    ["empty lines", `a${"\n".repeat(60_000)}b`],
    ["Arabic", "السلام عليكم ورحمة الله وبركاته ".repeat(1000)],
    ["Chinese", "你好世界".repeat(5000)],
    ["emoji", "👨‍👩‍👧‍👦".repeat(2600)],
    ["the widest character", "\ufdfd".repeat(20_000)],
    ["wide lines", `${"\ufdfd".repeat(99)}\n`.repeat(200)],
    ["towers of accents", `Z${"\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309".repeat(10)}`.repeat(700)],
    ["accents alone", "\u0301".repeat(32_768)],
    ["halves of characters", "\ud800".repeat(20_000)],
    ["markup", "<b>&amp;</b>".repeat(5_000)],
  ];
  it.each(endless)("cuts off %s without end, inside the margins, with less than 3 s of work", async (_name, text) => {
    const before = process.cpuUsage();
    const drawn = await card(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
    if (drawn.right < 0) return;
    expect(drawn.top).toBeGreaterThanOrEqual(110);
    expect(drawn.bottom).toBeLessThanOrEqual(1_810);
    expect([drawn.left >= 45, drawn.right <= 1035]).toEqual([true, true]);
  });

  it.each([
    ["Thai", ["ภาษาไทยเป็นภาษา", "ที่มีระดับเสียงของ", "คำแน่นอนหรือ", "วรรณยุกต์เช่นเดียว", "กับภาษาจีนและออก", "เสียงแยกคำต่อคำ"], ""],
    ["Korean", ["대한민국의 헌법은", "대한민국의 법령", "가운데"], " "],
  ])("breaks %s between words", async (_, lines, space) => {
    const [running, broken] = [await card(lines.join(space)), await card(lines.join("\n"))];
    expect(running.shape === broken.shape).toBe(true);
  });

  it("cuts whole lines: the last one is as high as the first", async () => {
    const drawn = await card("Hxg\n".repeat(500));
    expect(drawn.lines).toBeGreaterThan(35);
    const pitch = (height(drawn) - 28) / (drawn.lines - 1);
    expect(pitch).toBeGreaterThan(36);
    expect(pitch).toBeLessThan(40);
  });

  it("takes the text as it is: no markup, no control characters", async () => {
    const plain = await card("<b>x</b> & &lt; <span size='9000'>");
    expect(width(plain)).toBeGreaterThan(width(await card("x &")));
    expect((await card("a\u0000\u0007b\u009f")).shape).toBe((await card("ab")).shape);
    expect((await card("a\r\nb\u2028c")).shape).toBe((await card("a\nb\nc")).shape);
    expect((await card("  a \n")).shape).toBe((await card("a")).shape);
    await card("]]>&#0;</span>");
    await card("\ufffe\uffff\ud800");
    for (const invisible of ["\u200b", "\u202e", "\u2060\u200d", "\u3164", "\ufe0f"]) await card(invisible);
  });
});

function isFramed(drawn: Card): boolean {
  const [columns, rows] = [width(drawn), height(drawn)];
  const share = (length: number, at: (index: number) => [x: number, y: number]): number =>
    Array.from({ length }, (_, index) => at(index)).filter(([x, y]) => drawn.pixels[y * columns + x] === 1).length / length;
  return share(columns, (x) => [x, 1]) > 0.95 && share(rows, (y) => [1, y]) > 0.95 && share(rows, (y) => [columns - 2, y]) > 0.95;
}
