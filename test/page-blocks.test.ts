import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { pageBlocks, type PageBlock } from "./page-blocks.js";

const root = resolve(import.meta.dirname, "..");
const blocks = pageBlocks();
const commands = blocks.filter(({ language }) => language === "bash");
const where = ({ page, line }: PageBlock): string => `${page}:${line}`;

describe("fenced blocks of pages", () => {
  it("are found at all", () => {
    expect(commands.filter(({ mark }) => mark === "").length).toBeGreaterThan(15);
    expect(commands.filter(({ mark }) => mark === "by-hand").length).toBeGreaterThan(5);
  });

  it("say what they are by the marks that there are", () => {
    const known = ({ language, mark }: PageBlock): boolean =>
      language === "bash"
        ? ["", "by-hand"].includes(mark)
        : ["", "js", "ts", "json", "text", "mermaid"].includes(language) &&
          ["", ...(/json|text/.test(language) ? ["output"] : [])].includes(mark);
    expect(blocks.filter((block) => !known(block)).map(where)).toEqual([]);
  });

  it("tell the output of commands that are run alone", () => {
    const before = (block: PageBlock): PageBlock | undefined => blocks[blocks.indexOf(block) - 1];
    const stray = blocks
      .filter((block) => block.mark === "output")
      .filter((block) => {
        const ran = before(block);
        return ran?.page !== block.page || ran.language !== "bash" || ran.mark !== "";
      });
    expect(stray.map(where)).toEqual([]);
  });

  it.each(commands.map((block) => [where(block), block] as const))("%s is bash", (_, { text }) => {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });

  it("name files that are there, or are made of what is there", () => {
    const named = commands.flatMap((block) =>
      [...block.text.matchAll(/(?:^|[\s"'])((?:deploy|dist|bench|test)\/[\w./-]+\.\w+)/gm)].map(([, file = ""]) => ({
        file,
        at: where(block),
      })),
    );
    expect(named.length).toBeGreaterThan(5);
    const source = (file: string): string => file.replace(/^dist\/(.*)\.js$/, "$1.ts");
    expect(named.filter(({ file }) => !existsSync(join(root, source(file))))).toEqual([]);
  });
});
