import { mkdir, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

// Bold of every script that has its own file; emoji exist in one weight. In order of preference where two hold the same character.
const families = [
  { folder: "@expo-google-fonts/noto-sans", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-arabic", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-hebrew", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-devanagari", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-thai", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-sc", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-sans-kr", weight: "700Bold" },
  { folder: "@expo-google-fonts/noto-color-emoji", weight: "400Regular" },
] as const;

/**
 * Writes a fontconfig file that names the fonts shipped with the project and no others, so that a card looks the same on every machine.
 * `folder` (created when missing) also takes fontconfig's cache. Returns the file's path, the value of `FONTCONFIG_FILE`.
 */
export async function writeFontConfig(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = resolve(folder, "fonts.conf"); // fontconfig would look for a relative one elsewhere
  const lines = [
    `<?xml version="1.0"?>`,
    `<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">`,
    `<fontconfig>`,
    ...families.map(({ folder: name, weight }) => `<dir>${escapeXml(join(packageFolder(name), weight))}</dir>`),
    `<cachedir>${escapeXml(resolve(folder, "cache"))}</cachedir>`,
    `</fontconfig>`,
  ];
  // Another shard of this host may be reading it: a file appears whole or not at all.
  await writeFile(`${path}.${process.pid}`, lines.join("\n"), { mode: 0o600 });
  await rename(`${path}.${process.pid}`, path);
  return path;
}

function packageFolder(name: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
}

/** For fontconfig's XML and for Pango's markup: after it no character of `text` is syntax. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
