import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { createSession, loggedIn, type Caller } from "../../test/harness/api.js";
import { goTo, openConsole, signIn, startBrowser, type ConsolePage } from "../../test/harness/browser.js";
import { eventually } from "../../test/harness/eventually.js";
import { startGateway, type Gateway } from "../../test/harness/gateway.js";
import { TelegramSide } from "../../test/harness/telegram-side.js";
import { firstPaint } from "./first-paint.js";

/** The repository's folder of pictures, and the console as routers serve it, from dist/bench/console. */
const pictures = fileURLToPath(new URL("../../../.github/images/", import.meta.url));
const served = fileURLToPath(new URL("../../router/console/files/", import.meta.url));

const themes = {
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
  dark: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 800 }, deviceScaleFactor: 1.5, isMobile: true, hasTouch: true },
} as const;

/** Pages to photograph, by layout. */
const shown = {
  desktop: ["sessions", "login", "chats", "send", "channel", "overview", "members"],
  dark: ["login", "chats", "members"],
  phone: ["sessions", "login", "chats", "overview"],
} as const satisfies Record<keyof typeof themes, readonly string[]>;

/** Id of the sandbox's account "bob" on Telegram. */
const bob = "5100000001";

/** Points of the line of messages per minute, one each 5 s. */
const linePointsMin = 6;

/** Takes the README's pictures of the console, and prints its size and its time to first paint. */
const gateway = await startGateway({ shards: 2 });
try {
  const browser = await startBrowser();
  try {
    const origin = new URL(gateway.telegram[0] ?? "").origin;
    await mkdir(pictures, { recursive: true });
    console.log(`console: ${await bundleText()}`);
    console.log(`console: ${await firstPaint(browser, origin)}`);
    const furnished = await furnish(gateway);
    await take(browser, origin, "desktop", furnished);
    await take(browser, origin, "dark", furnished);
    await take(browser, origin, "phone", furnished);
  } finally {
    await browser.close();
  }
} finally {
  await gateway.stop();
}

type Place = (typeof shown)[keyof typeof shown][number];

interface Furnished {
  readonly places: Readonly<Record<Place, readonly [address: string, heading: RegExp]>>;
  /** A session that sends messages, so that the overview has figures. */
  readonly sender: Caller | undefined;
}

/** Creates sessions and data, so that the pages are not empty. */
async function furnish(all: Gateway): Promise<Furnished> {
  const logins: Caller[] = [];
  for (const account of ["alice", "bob", "carol"]) logins.push(await loggedIn(all, account), await loggedIn(all, account, "whatsapp"));
  const waiting = await createSession(all, "telegram", { label: "new customer" });
  await converse(all, logins[0]);
  const own = `#/sessions/${logins[0]?.credentials.id ?? ""}`;
  const places = {
    sessions: ["#/sessions", /^Sessions/],
    login: [`#/sessions/${waiting.credentials.id}`, /./],
    chats: [`${own}/chats/${bob}`, /./],
    send: [`${own}/send`, /./],
    channel: [`${own}/channels/-1001900000016`, /./],
    overview: ["#/overview", /^Overview/],
    members: ["#/members", /^Cluster/],
  } as const;
  return { places, sender: logins[0] };
}

/** Holds a conversation between two accounts of the sandbox. */
async function converse(all: Gateway, caller: Caller | undefined): Promise<void> {
  const telegram = new TelegramSide(all);
  const [says, to] = [{ account: "alice", chat: "bob" }, { user: bob }];
  await telegram.post("/people/send", { ...says, text: "Hi Alice! Are you open on Saturday?" });
  await caller?.send("POST", "/message", { ...to, type: "text", text: "Yes, from nine to six. This is today's menu:" });
  await caller?.send("POST", "/message", {
    ...to,
    type: "image",
    text: "Shall I keep a table for you?",
    image: { url: telegram.fileUrl("photo.jpg"), mimetype: "image/jpeg" },
  });
  await telegram.post("/people/send", { ...says, text: "Please, at noon for four 🙂" });
  await caller?.send("POST", "/message/voice", {
    ...to,
    audio: { url: telegram.fileUrl("voice.ogg"), mimetype: "audio/ogg", duration: 2 },
  });
}

async function take(browser: Browser, origin: string, theme: keyof typeof themes, { places, sender }: Furnished): Promise<void> {
  const seen = await openConsole(browser, `${origin}/console`, themes[theme]);
  await signIn(seen, gateway.adminKey);
  for (const name of shown[theme]) {
    await goTo(seen, ...places[name]);
    await calm(seen, name, sender);
    // At its last position, the pointer would highlight a row.
    await seen.page.mouse.move(0, 0);
    const webp = await sharp(await seen.page.screenshot())
      .webp({ quality: 82 })
      .toBuffer();
    await writeFile(`${pictures}${name}-${theme}.webp`, webp);
    console.log(`console: ${name}-${theme}.webp, ${Math.ceil(webp.length / 1024)} KiB`);
  }
  await seen.close();
}

/** Resolves when the content of a picture has loaded, such as a QR code or the pictures of a channel. */
async function calm({ page }: ConsolePage, name: Place, sender: Caller | undefined): Promise<void> {
  if (name === "login") await page.getByRole("img", { name: /QR code/ }).waitFor();
  if (name === "sessions") await page.getByRole("region", { name: "Sessions" }).getByRole("link").nth(5).waitFor();
  if (name === "channel") await page.getByRole("article").first().waitFor();
  if (name === "overview") {
    const line = page.locator(".figures li").filter({ hasText: "Messages per minute" }).locator("polyline");
    await eventually("a line of messages", async () => {
      await sender?.send("POST", "/message", { username: "carol_sandbox", type: "text", text: "Hello" });
      return ((await line.getAttribute("points")) ?? "").split(" ").length >= linePointsMin;
    });
  }
  if (name === "chats") {
    await page.getByRole("article").nth(4).waitFor();
    await page.getByRole("button", { name: "Actions: Please" }).click();
  }
  if (name === "send") await page.getByRole("button", { name: "Use example" }).click();
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined); // The event stream never ends, so the wait may time out.
}

/** Returns the compressed size of all scripts and styles. Each page loads only its own. */
async function bundleText(): Promise<string> {
  const files = (await readdir(served)).filter((name) => name.endsWith(".gz"));
  const sizes = await Promise.all(files.map(async (name) => (await readFile(served + name)).length));
  return `${(sizes.reduce((sum, size) => sum + size, 0) / 1_024).toFixed(1)} KiB gzipped in ${files.length} files`;
}
