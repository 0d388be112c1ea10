import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fontFiles } from "./fonts.js";

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
    ...fontFiles().map((file) => `<dir>${escapeXml(dirname(file))}</dir>`),
    embolden,
    `<cachedir>${escapeXml(resolve(folder, "cache"))}</cachedir>`,
    `</fontconfig>`,
  ];
  // Another shard of this host may be reading it: a file appears whole or not at all.
  await writeFile(`${path}.${process.pid}`, lines.join("\n"), { mode: 0o600 });
  await rename(`${path}.${process.pid}`, path);
  return path;
}

/** A script that has one weight only is drawn with thicker strokes beside the bold of the others. Emoji are pictures. */
const embolden = `<match target="font">
  <test name="weight" compare="less_eq"><const>medium</const></test>
  <test name="family" compare="not_eq"><string>Noto Color Emoji</string></test>
  <edit name="embolden" mode="assign"><bool>true</bool></edit>
</match>`;

/** For fontconfig's XML and for Pango's markup: after it no character of `text` is syntax. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
