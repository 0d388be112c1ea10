import { existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { mkdtemp, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { eventually } from "./eventually.js";
import { PageState } from "./page-state.js";

/** Debian's chromium; the set-up of the tests installs it. */
export async function startBrowser(): Promise<Browser> {
  const fonts = await fontFolder();
  const browser = await chromium.launch(launchOptions(fonts));
  browser.once("disconnected", () => rmSync(fonts, { recursive: true }));
  return browser;
}

/** The same with an extension loaded unpacked from its folder, as a person does it: such a browser has one context, and keeps it in a folder that goes with it. */
export async function startBrowserWith(extension: string): Promise<BrowserContext> {
  const fonts = await fontFolder();
  const { args = [], ...options } = launchOptions(fonts);
  // What opens from an extension's button is no page yet when it is attached to.
  process.env["PW_CHROMIUM_ATTACH_TO_OTHER"] = "1";
  const loaded = [`--disable-extensions-except=${extension}`, `--load-extension=${extension}`];
  const context = await chromium.launchPersistentContext("", { ...options, args: [...args, ...loaded] });
  context.once("close", () => rmSync(fonts, { recursive: true }));
  return context;
}

function launchOptions(fonts: string): LaunchOptions {
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "chromium"))
    .find(existsSync);
  if (path === undefined) throw new Error("chromium is not on PATH; npm test installs it, or: apt-get install -y chromium");
  return {
    executablePath: path,
    // Names of people are in every script, which a machine without a desktop has no fonts for: those of the text cards do.
    env: { ...process.env, XDG_DATA_HOME: fonts },
    // Its sandbox wants a user other than root; its shared memory is small in containers.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  };
}

/** A folder in which programs look for `fonts`. */
async function fontFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tl-browser-"));
  const oneFont = createRequire(import.meta.url).resolve("@expo-google-fonts/noto-color-emoji/package.json");
  await symlink(dirname(dirname(oneFont)), join(folder, "fonts"));
  return folder;
}

/** A page of the console, and all that it did which nobody should see. */
export interface ConsolePage {
  readonly page: Page;
  /** What the policy refused, errors of scripts, and requests to anybody but the gateway. */
  readonly faults: string[];
  /** What it shows and asks for just now. */
  readonly state: PageState;
  close(): Promise<void>;
}

/** Whatever a page does that the policy refuses, or that leaves the gateway, is a fault, also where nobody looks for it. */
export async function openConsole(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
  beforeLoad: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<ConsolePage> {
  const { origin } = new URL(address);
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: "reduce", ...options });
  // As long as `eventually` waits: it ends what hangs, and a busy machine takes its time.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const state = new PageState(page);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(`policy: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(data|blob):/.test(request.url())) faults.push(`request: ${request.url()}`);
  });
  await beforeLoad(page);
  await page.goto(address);
  return { page, faults, state, close: () => context.close() };
}

export async function signIn({ page }: ConsolePage, key: string): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("API key").waitFor({ state: "detached" });
}

/** Goes to a place of the console and waits until its page has come and nothing is being read any more. */
export async function goTo({ page }: ConsolePage, address: string, heading: RegExp | string): Promise<void> {
  await page.goto(new URL(address, page.url()).href);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await eventually("a page at rest", async () => (await page.locator(".loading").count()) === 0);
}

/** What axe finds wrong with a page for people who do not see or point: rule, what it is about, and where. */
export async function axeFindings(page: Page): Promise<string[]> {
  axeSource ??= await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  // Straight into the page's world, once for each document: a script element of it would be refused by the policy.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  return await page.evaluate(async () => {
    // What is well need not be described.
    const { violations } = await (globalThis as unknown as Axe).axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
}
let axeSource: string | undefined;

interface Axe {
  axe: { run: (options: object) => Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }> };
}
