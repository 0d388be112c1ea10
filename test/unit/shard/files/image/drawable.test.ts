import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Drawable } from "../../../../../shard/files/image/drawable.js";
import { families, fontFiles } from "../../../../../shard/files/image/fonts.js";

describe("the fonts", () => {
  it("are those of the package that lists them, and no others", () => {
    const { dependencies } = JSON.parse(
      readFileSync(join(import.meta.dirname, "../../../../../shard/files/image/fonts/package.json"), "utf8"),
    ) as {
      dependencies: Record<string, string>;
    };
    expect([...families].sort()).toEqual(Object.keys(dependencies).sort());
  });

  it("are one file of each family, bold where there is one", () => {
    const names = fontFiles().map((path) => basename(path));
    expect(names).toHaveLength(families.length);
    expect(names).toEqual(
      expect.arrayContaining(["NotoSansTamil_700Bold.ttf", "NotoSansMath_400Regular.ttf", "NotoColorEmoji_400Regular.ttf"]),
    );
  });
});

describe("what can be drawn", () => {
  let drawable: Drawable;
  beforeAll(async () => {
    drawable = await Drawable.load();
  });

  it.each([
    "Hello, wörld! 1+1=2 €",
    "Привет Γειά שלום سلام नमस्ते สวัสดี 你好 こんにちは 안녕 தமிழ் বাংলা ქართული Հայերեն አማርኛ ភាសា မြန်မာ",
    "👨\u200d👩\u200d👧 👍🏿 🇮🇱 1\ufe0f\u20e3 ❤\ufe0f 🏴\u{e0067}\u{e0062}\u{e007f}",
    "tab\t new\r\nline\u2028 \u200b\u200e\u00ad\u3000 \u0000\u0007",
    "e\u0301 \u212b \uf900 \u1100\u1161",
    "half \ud800",
    "𝓗𝓮𝓵𝓵𝓸 ∑ ♔ ☂",
    "",
  ])("%j", (text) => {
    expect(drawable.missing(text)).toEqual([]);
  });

  it.each<[string, string, string[]]>([
    ["cuneiform, each sign once", "\u{12000}a\u{12001}\u{12000}", ["\u{12000}", "\u{12001}"]],
    ["what a company gave a meaning to", "\uf8ff", ["\uf8ff"]],
    ["what is no character yet", "\u{1fbff}\u0378", ["\u{1fbff}", "\u0378"]],
  ])("not %s", (_, text, wanted) => {
    expect(drawable.missing(text)).toEqual(wanted);
  });

  it("is checked only for text on the card", () => {
    expect(drawable.missing(`${"a".repeat(20_000)}\u{12000}`)).toEqual([]);
  });
});
