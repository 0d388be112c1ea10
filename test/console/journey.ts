import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { request } from "../harness/api.js";
import { signIn } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import type { Stage } from "./stage.js";

const people = {
  telegram: { name: "Telegram", kind: "username", to: "bob_sandbox", story: "Story" },
  whatsapp: { name: "WhatsApp", kind: "phone", to: "15550200002", story: "Status" },
} as const;

/** Tests a whole visit to the console on both platforms, from sign-in to sign-out. */
export function journey(stage: () => Stage): void {
  describe.each(["telegram", "whatsapp"] as const)("on %s a person", (platform) => {
    const { name, kind, to, story } = people[platform];

    it("links an account, runs the sample code, sends, posts, opens lists and signs out", () =>
      stage().visit(async (seen) => {
        const { page } = seen;
        const { gateway } = stage();
        await signIn(seen, gateway.adminKey);
        await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Sessions" }).click();
        await page.getByRole("link", { name: "New session" }).first().click();
        await page.getByText(name, { exact: true }).click();
        await page.getByLabel("Label").fill(`made in ${name}`);
        await page.getByRole("button", { name: "Create session" }).click();
        await page.getByRole("img", { name: /QR code/ }).waitFor();
        // The session's secret is shown only this once.
        const [id = "", secret = ""] = await page.locator(".notice code").allInnerTexts();
        const headers = { id, "session-id": secret };
        expect((await request(`${gateway[platform][0] ?? ""}/session`, { headers })).status).toBe(200);
        expect(await page.getByRole("region", { name: "Use it from code" }).count()).toBe(0);
        await page.getByLabel("Account").selectOption("alice");
        await page.getByRole("button", { name: "Scan as alice" }).click();
        // The page updates by live events, without a reload.
        await page.locator(".session-head").getByText("Connected", { exact: true }).waitFor();
        await runCode(page, secret);
        const activity = page.getByRole("region", { name: "Recent activity" }).getByRole("listitem");
        await activity.filter({ hasText: "Created session" }).waitFor();
        expect((await activity.allInnerTexts())[0]).toContain("Connected");

        await page.getByRole("link", { name: "Send", exact: true }).click();
        await page.getByLabel("Send to").selectOption(kind);
        if (platform === "telegram") await page.getByLabel("Formatting").selectOption("markdown");
        await page.getByRole("button", { name: "Send message", exact: true }).click();
        await page.locator(".fault", { hasText: /^invalid phone/ }).waitFor();
        const recipient = page.getByRole("textbox", { name: "Recipient" });
        await eventually("the focus at the field that is wrong", () =>
          recipient.evaluate((element) => element === (globalThis as unknown as Focused).document.activeElement),
        );
        const picker = page.getByRole("dialog", { name: "Choose recipient" });
        await page.getByRole("button", { name: "Choose" }).click();
        await picker.getByRole("region", { name: "Groups" }).getByRole("button").first().waitFor();
        await picker.getByLabel("Search recipients").fill("Bob");
        const bob = picker.getByRole("region", { name: "Sandbox people" }).getByRole("button").first();
        const shown = await bob.innerText();
        await bob.click();
        await picker.waitFor({ state: "detached" });
        expect(shown).toContain(await recipient.inputValue());
        expect(await recipient.inputValue()).not.toBe("");
        await page.getByLabel("Send to").selectOption(kind);
        await recipient.fill(to);
        await page.getByLabel("Text", { exact: true }).last().fill(`Hello from the console to ${name}`);
        await page.getByText("View as curl").click();
        const command = await page.locator(".curl pre").innerText();
        expect(command).toContain(`Hello from the console to ${name}`);
        for (const hidden of [gateway.adminKey, secret]) expect(command).not.toContain(hidden);
        await page.getByRole("button", { name: "Send message", exact: true }).click();
        await page.getByText("Message sent").waitFor();
        await page.getByRole("button", { name: "Choose" }).click();
        await picker.getByRole("region", { name: "Recent" }).getByRole("button").filter({ hasText: to }).waitFor();
        await picker.getByRole("button", { name: "Close" }).click();
        await page.getByText("Image", { exact: true }).click();
        await page.getByRole("button", { name: "Use example" }).click();
        await page.getByRole("button", { name: "Send message", exact: true }).click();
        await page.getByText("Message sent").waitFor();
        await page.getByText("Recording audio", { exact: true }).click();
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await page.getByText("Shown", { exact: true }).waitFor();
        const received = async (): Promise<string> =>
          JSON.stringify((await request(`${gateway.sandbox}/received?platform=${platform}&account=alice`)).body);
        await eventually("both messages at the platform", async () => {
          const all = await received();
          return all.includes(`Hello from the console to ${name}`) && all.includes("A picture");
        });

        const stories = async (): Promise<number> =>
          (
            (await request(`${gateway.sandbox}/received?platform=${platform}&account=alice`)).body as { docs: { type: string }[] }
          ).docs.filter(({ type }) => type === "story" || type === "status").length;
        const before = await stories();
        await page.getByRole("link", { name: story, exact: true }).click();
        if (platform === "telegram") await page.getByText("Everyone", { exact: true }).click();
        await page.getByLabel("Text", { exact: true }).last().fill("A story from the console");
        await page.getByRole("button", { name: `Post ${story.toLowerCase()}` }).click();
        await page.getByText(`${story} posted`).waitFor();
        for (const type of ["Image", "Video"]) {
          await page.getByText(type, { exact: true }).click();
          // The notice of the previous post disappears when another type is chosen.
          await page.getByText(`${story} posted`).waitFor({ state: "detached" });
          await page.getByRole("button", { name: "Use example" }).click();
          await page.getByRole("button", { name: `Post ${story.toLowerCase()}` }).click();
          await page.getByText(`${story} posted`).waitFor();
        }
        await eventually("three stories at the platform", async () => (await stories()) === before + 3);

        await page.getByRole("link", { name: "Groups", exact: true }).click();
        await page.getByRole("region", { name: "Groups" }).getByRole("link").first().click();
        await page.getByRole("region", { name: "Members" }).getByRole("listitem").first().waitFor();
        await page.getByRole("link", { name: "Channels", exact: true }).click();
        await page.getByRole("region", { name: "Channels" }).getByRole("link").first().click();
        await page.getByRole("article").first().waitFor();

        await page.getByRole("button", { name: "User menu" }).click();
        await page.getByRole("button", { name: "Sign out" }).click();
        await page.getByRole("heading", { name: "Sign in" }).waitFor();
        expect(
          await page.evaluate(() => JSON.stringify((globalThis as unknown as { sessionStorage: object }).sessionStorage)),
        ).not.toContain(gateway.adminKey);
        expect(page.url()).not.toContain(gateway.adminKey);
      }));
  });

  it("plays a channel's video by ranges on request, and loads older messages on request", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      await signIn(seen, stage().gateway.adminKey);
      const answers: number[] = [];
      page.on("response", (response) => {
        if (response.url().includes("/media/") && response.request().resourceType() === "media") answers.push(response.status());
      });
      await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Sessions" }).click();
      await page
        .getByRole("region", { name: "Sessions" })
        .getByRole("link", { name: /Telegram/ })
        .first()
        .click();
      await page.getByRole("link", { name: "Channels", exact: true }).click();
      await page.goto(`${page.url()}/-1001900000016`);
      const film = page.locator('video[width="720"]').first(); // The other videos have no playable content, only a video's size.
      await film.waitFor();
      expect(answers).toEqual([]);
      await film.evaluate((element) => (element as unknown as { play: () => Promise<void> }).play());
      await eventually(
        "a film that plays",
        async () => (await film.evaluate((element) => (element as unknown as { currentTime: number }).currentTime)) > 0,
      );
      expect(new Set(answers)).toEqual(new Set([206]));
      const late = page.locator("audio").first();
      await page.context().setOffline(true);
      await late.evaluate((element) => void (element as unknown as { play: () => Promise<void> }).play().catch(() => undefined));
      await eventually("a player that failed", () => late.evaluate((element) => (element as unknown as { error: unknown }).error !== null));
      await page.context().setOffline(false);
      await eventually(
        "the sound, when the gateway answers again",
        async () => (await late.evaluate((element) => (element as unknown as { currentTime: number }).currentTime)) > 0,
      );
      const noFilm = page.locator('video:not([width="720"])').first();
      await noFilm.evaluate((element) => void (element as unknown as { play: () => Promise<void> }).play().catch(() => undefined));
      await page.getByText("This file can't be played here").waitFor();
      expect(await page.getByRole("link", { name: "Open file" }).getAttribute("href")).toBe(await noFilm.getAttribute("src"));
      await page.goto(page.url().replace("-1001900000016", "-1001900000013"));
      const title = page.getByRole("heading", { name: "أخبار اليوم" });
      expect(
        await title.evaluate((element) => (element as unknown as { matches: (selector: string) => boolean }).matches(":dir(rtl)")),
      ).toBe(true);
      await page.getByRole("article").first().waitFor();
      const shown = await page.getByRole("article").count();
      await page.getByRole("button", { name: "Load older" }).click();
      await eventually("more of them", async () => (await page.getByRole("article").count()) > shown);
    }));
}

/** Runs the code that the session's page shows, with the secret in it and afterwards with a placeholder for the secret. */
async function runCode(page: Page, secret: string): Promise<void> {
  const card = page.getByRole("region", { name: "Use it from code" });
  const code = async (language: string): Promise<string> => {
    await card.getByText(language, { exact: true }).click();
    return await card.getByLabel(`Sends a message with ${language}`).innerText();
  };
  const run = async (language: "curl" | "Node.js", env: Record<string, string>): Promise<void> => {
    const [program, flags] = language === "curl" ? ["sh", ["-c"]] : [process.execPath, ["--input-type=module", "-e"]];
    const { stdout } = await execute(program, [...flags, await code(language)], { env: { PATH: process.env["PATH"], ...env } });
    expect(stdout).toMatch(/messageId/);
  };
  for (const language of ["curl", "Node.js"] as const) {
    expect(await code(language)).toContain(secret);
    await run(language, {});
  }
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText(secret).first().waitFor({ state: "detached" });
  for (const language of ["curl", "Node.js"] as const) {
    expect(await code(language)).not.toContain(secret);
    await run(language, { SESSION_SECRET: secret });
  }
}

const execute = promisify(execFile);

interface Focused {
  document: { activeElement: unknown };
}
