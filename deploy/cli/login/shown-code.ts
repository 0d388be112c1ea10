import { writeFileSync } from "node:fs";
import type { Cli } from "../cli.js";
import { modulesOf, type Modules } from "./code-modules.js";
import { halfBlocks } from "./half-blocks.js";

/** QR code on the terminal; a new code replaces the old one. */
export class ShownCode {
  private lines = 0;

  /** `file`: path where the picture is written instead. */
  constructor(
    private readonly cli: Cli,
    private readonly file: string | undefined,
  ) {}

  /** `png` is base64, as the gateway sends it. */
  async show(png: string): Promise<void> {
    const { screen, surroundings } = this.cli;
    const bytes = Buffer.from(png, "base64");
    if (this.file !== undefined) {
      writeFileSync(this.file, bytes, { mode: 0o600 });
      screen.say(`QR code written to ${this.file}`);
      return;
    }
    const modules = await decode(bytes);
    const { columns = 80, isTTY = false } = surroundings.stderr;
    if (modules === undefined || (isTTY && modules.length + 4 > columns)) {
      screen.say("The QR code doesn't fit. Widen the terminal or use --qr-file <file>.");
      return;
    }
    this.clear();
    const lines = [
      ...halfBlocks(modules, screen.colored),
      "Scan with your phone (Settings › Linked devices). The code refreshes automatically.",
    ];
    screen.say(lines.join("\n"));
    this.lines = lines.length;
  }

  /** Removes the code from the screen, since a scanned code is no longer valid. */
  clear(): void {
    const { stderr } = this.cli.surroundings;
    if (this.lines > 0 && stderr.isTTY === true) stderr.write(`\u001b[${this.lines}A\u001b[J`);
    this.lines = 0;
  }
}

/** `sharp` loads slowly, so only a login with a code imports it. */
async function decode(png: Buffer): Promise<Modules | undefined> {
  const { default: sharp } = await import("sharp");
  const { data, info } = await sharp(png).flatten({ background: "#fff" }).greyscale().raw().toBuffer({ resolveWithObject: true });
  return modulesOf({ width: info.width, height: info.height, pixels: data });
}
