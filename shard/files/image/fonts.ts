import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const scope = "@expo-google-fonts";

/**
 * The font families of a card, in order of preference when several hold the same character. Each is a package that `fonts/package.json`
 * pins.
 */
export const families = [
  "noto-sans",
  ...["noto-sans-arabic", "noto-sans-hebrew", "noto-sans-devanagari", "noto-sans-thai"],
  ...["noto-sans-sc", "noto-sans-tc", "noto-sans-kr"],
  "noto-color-emoji",
  ...["noto-sans-bengali", "noto-sans-tamil", "noto-sans-telugu", "noto-sans-kannada", "noto-sans-malayalam"],
  ...["noto-sans-gujarati", "noto-sans-gurmukhi", "noto-sans-oriya", "noto-sans-sinhala", "noto-serif-tibetan"],
  ...["noto-sans-khmer", "noto-sans-lao", "noto-sans-myanmar", "noto-sans-javanese", "noto-sans-balinese", "noto-sans-cham"],
  ...["noto-sans-georgian", "noto-sans-armenian", "noto-sans-ethiopic", "noto-sans-mongolian", "noto-sans-yi", "noto-sans-lisu"],
  ...["noto-sans-syriac", "noto-sans-thaana", "noto-sans-nko", "noto-sans-adlam", "noto-sans-tifinagh", "noto-sans-vai"],
  ...["noto-sans-cherokee", "noto-sans-canadian-aboriginal", "noto-sans-ol-chiki", "noto-sans-meetei-mayek", "noto-sans-chakma"],
  ...["noto-sans-symbols", "noto-sans-symbols-2", "noto-sans-math"],
].map((name) => `${scope}/${name}`);

/** Returns the files of one weight of each family: bold if there is one. Reads the packages' folders. */
export function fontFiles(): string[] {
  const require = createRequire(import.meta.url);
  return families.flatMap((family) => {
    const folder = dirname(require.resolve(`${family}/package.json`));
    const weight = ["700Bold", "400Regular"].map((name) => join(folder, name)).find((path) => existsSync(path));
    if (weight === undefined) throw new Error(`no weight of ${family} that is used here`);
    return readdirSync(weight)
      .filter((name) => name.endsWith(".ttf"))
      .map((name) => join(weight, name));
  });
}
