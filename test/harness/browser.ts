import { existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { mkdtemp, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, LaunchOptions, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { eventually } from "./eventually.js";
import { PageState } from "./page-state.js";

/** Starts Debian's chromium, which the setup of the tests installs. */
export async function startBrowser(): Promise<Browser> {
  const fonts = await fontFolder();
  const browser = await chromium.launch(launchOptions(fonts));
  browser.once("disconnected", () => rmSync(fonts, { recursive: true }));
  return browser;
}

/**
 * Starts a browser with an extension loaded unpacked from its folder. Such a browser has one context, stored in a folder that is deleted
 * with it.
 */
export async function startBrowserWith(extension: string): Promise<BrowserContext> {
  const fonts = await fontFolder();
  const { args = [], ...options } = launchOptions(fonts);
  // A popup of an extension's button is not yet a page when the debugger attaches to it.
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
    // People's names use every script, but a machine without a desktop lacks the fonts, so those of the text cards are used.
    env: { ...process.env, XDG_DATA_HOME: fonts },
    // The browser's sandbox cannot run as root, and shared memory is small in containers.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  };
}

/** Creates a data folder whose `fonts` folder holds the fonts. */
async function fontFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tl-browser-"));
  const oneFont = createRequire(import.meta.url).resolve("@expo-google-fonts/noto-color-emoji/package.json");
  await symlink(dirname(dirname(oneFont)), join(folder, "fonts"));
  return folder;
}

/** A page of the console with a record of its faults. */
export interface ConsolePage {
  readonly page: Page;
  /** Policy violations, script errors, and requests to servers other than the gateway. */
  readonly faults: string[];
  /** What the page shows, and its pending requests. */
  readonly state: PageState;
  close(): Promise<void>;
}

/** Opens the console and records every policy violation and every request to another server as a fault. */
export async function openConsole(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
  beforeLoad: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<ConsolePage> {
  const { origin } = new URL(address);
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: "reduce", ...options });
  // Equal to the limit of `eventually`: it only ends hung tests, because a busy machine is slow.
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

/** Opens an address of the console and waits until the page has loaded and nothing is being read. */
export async function goTo({ page }: ConsolePage, address: string, heading: RegExp | string): Promise<void> {
  await page.goto(new URL(address, page.url()).href);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await eventually("a page at rest", async () => (await page.locator(".loading").count()) === 0);
}

/** Returns the accessibility faults that axe finds: rule, description and place. */
export async function axeFindings(page: Page): Promise<string[]> {
  axeSource ??= await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  // Evaluated directly, once per document: the policy would block a script element.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  return await page.evaluate(async () => {
    // Only violations are needed, so passed checks are not described.
    const { violations } = await (globalThis as unknown as Axe).axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
}
let axeSource: string | undefined;

interface Axe {
  axe: { run: (options: object) => Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }> };
}
