import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fontFiles } from "./fonts.js";

/**
 * Writes a fontconfig file that names only the fonts shipped with the project, so that a card is the same on every machine. `folder` also
 * takes fontconfig's cache. Returns the path for `FONTCONFIG_FILE`.
 */
export async function writeFontConfig(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = resolve(folder, "fonts.conf"); // fontconfig would search a relative path elsewhere
  const lines = [
    `<?xml version="1.0"?>`,
    `<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">`,
    `<fontconfig>`,
    ...fontFiles().map((file) => `<dir>${escapeXml(dirname(file))}</dir>`),
    embolden,
    `<cachedir>${escapeXml(resolve(folder, "cache"))}</cachedir>`,
    `</fontconfig>`,
  ];
  // Another shard of this host may read it now, so the file must appear whole or not at all.
  await writeFile(`${path}.${process.pid}`, lines.join("\n"), { mode: 0o600 });
  await rename(`${path}.${process.pid}`, path);
  return path;
}

/** Draws a script that has only one weight with thicker strokes, to match the bold of the others. Emoji are pictures. */
const embolden = `<match target="font">
  <test name="weight" compare="less_eq"><const>medium</const></test>
  <test name="family" compare="not_eq"><string>Noto Color Emoji</string></test>
  <edit name="embolden" mode="assign"><bool>true</bool></edit>
</match>`;

/** Escapes text for fontconfig's XML and Pango's markup, so that no character of it is syntax. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
