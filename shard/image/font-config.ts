import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

// Bold of every script that has its own file; emoji exist in one weight. In order of preference where two hold the same character.
const families = [
  { folder: "@expo-google-fonts/noto-sans", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-arabic", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-hebrew", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-devanagari", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-thai", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-sc", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-color-emoji", weight: "400Regular" },
] as const;

/**
 * Writes a fontconfig file that names the fonts shipped with the project and no others, so that a card looks the same on every machine.
 * `folder` (created when missing) also takes fontconfig's cache. Returns the file's path, the value of `FONTCONFIG_FILE`.
 */
export async function writeFontConfig(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "fonts.conf");
  const lines = [
    `<?xml version="1.0"?>`,
    `<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">`,
    `<fontconfig>`,
    ...families.map(({ folder: name, weight }) => `<dir>${escapeXml(join(packageFolder(name), weight))}</dir>`),
    `<cachedir>${escapeXml(join(folder, "cache"))}</cachedir>`,
    `</fontconfig>`,
  ];
  await writeFile(path, lines.join("\n"), { mode: 0o600 });
  return path;
}

function packageFolder(name: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
}

/** For fontconfig's XML and for Pango's markup: after it no character of `text` is syntax. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
