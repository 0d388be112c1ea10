import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { pageBlocks, type PageBlock } from "../page-blocks.js";

/**
 * Runs every command of every page on one gateway as a reader types it: the README first, then each page in a shell that continues from
 * it.
 */
const root = resolve(import.meta.dirname, "../..");
const blocks = pageBlocks();
const others = [...new Set(blocks.filter(isRun).map(({ page }) => page))].filter((page) => page !== "README.md");
/** Definitions that the README's shell passes to the other pages. */
const handedOn = "{ declare -f; declare -p BASE KEY ID SECRET; }";
/** Ends a command that never returns. */
const pageMs = 200_000;

let gateway: Gateway;
let folder: string;
beforeAll(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), "tl-pages-"));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("the commands of", () => {
  it("README.md do what they say", () => run("README.md", "", `${handedOn} > ${folder}/shell`));
  it.each(others)("%s do what they say", (page) => run(page, `source ${folder}/shell`));
});

describe("the link that a start prints", () => {
  it("signs in to the console once, as the README says", async () => {
    const [, page = "", code = ""] = /(http:\S+\/console)#code=(\S+)/.exec(gateway.printed()) ?? [];
    expect((await fetch(page)).status).toBe(200);
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code }) };
    const signIn = (): Promise<Response> => fetch(new URL("/admin/sign-in", page), init);
    const { key } = (await (await signIn()).json()) as { key: string };
    expect((await fetch(new URL("/admin/members", page), { headers: { "x-api-key": key } })).status).toBe(200);
    expect((await signIn()).status).toBe(401);
  });
});

describe("the commands that a start prints", () => {
  it("log alice in and send a message, with no key in them", async () => {
    const [, lines = ""] = /^Send a first message:\n((?: {2}.+\n)+)/m.exec(gateway.printed()) ?? [];
    expect(lines).not.toContain(gateway.adminKey);
    const output = join(folder, "pasted");
    const { code, complaints } = await bash(`set -euo pipefail\n{\n${lines}} > ${output}`);
    expect(code, complaints).toBe(0);
    expect(await readFile(output, "utf8")).toMatch(/^[0-9a-f]{24}: connected as Alice.*\nSent message \d+\n$/);
  });
});

async function run(page: string, before: string, after = ""): Promise<void> {
  const own = blocks.filter((block) => block.page === page);
  const output = (block: PageBlock): string => join(folder, `${page.replaceAll("/", "-")}-${block.line}`);
  const ran = own.filter(isRun);
  const script = ["set -euo pipefail", before, ...ran.map((block) => `{\n${here(block.text)}\n} > ${output(block)}`), after].join("\n");
  const { code, complaints } = await bash(script);
  expect(code, complaints).toBe(0);
  for (const [i, block] of own.entries()) {
    const next = own[i + 1];
    if (isRun(block) && next?.mark === "output") expect(await readFile(output(block), "utf8")).toMatch(asPattern(here(next.text)));
  }
}

async function bash(script: string): Promise<{ code: number | null; complaints: string }> {
  // The command line finds the gateway and a key in its data folder.
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: folder, DATA_DIR: gateway.dataDir };
  const child = spawn("bash", { cwd: root, env, timeout: pageMs, stdio: ["pipe", "inherit", "pipe"] });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  child.stdin.end(script);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, complaints };
}

/** Replaces addresses and paths with those of this gateway. */
function here(text: string): string {
  return text
    .replaceAll("http://127.0.0.1:8080", new URL(gateway.telegram[0] ?? "").origin)
    .replaceAll("http://127.0.0.1:8090", gateway.sandbox)
    .replaceAll('".data/', `"${gateway.dataDir}/`);
}

/** Returns a pattern in which `…` matches anything. */
function asPattern(text: string): RegExp {
  return new RegExp(
    `^${text
      .trim()
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^]*?")}\\s*$`,
  );
}

function isRun({ language, mark }: PageBlock): boolean {
  return language === "bash" && mark === "";
}
