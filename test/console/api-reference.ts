import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Stage } from "./stage.js";

/** Tests that the API reference shows calls with all that they refer to, and can be read on a phone. */
export function apiReference(stage: () => Stage): void {
  it("shows the schemas and the errors that a call refers to", async () => {
    const context = await stage().newContext();
    try {
      const call = await openCall(await context.newPage(), stage().origin, "/telegram/message/voice");
      const body = call.locator(".opblock-section-request-body");
      await body.getByRole("tab", { name: "Schema" }).click();
      await body.getByText("phone", { exact: true }).first().waitFor();
      const refused = call.locator('.response[data-code="404"] .examples-select option');
      expect(await refused.allInnerTexts()).toEqual([expect.stringContaining("the session was deleted")]);
    } finally {
      await context.close();
    }
  });
  it("shows an opened call within a phone's width, and table headings with a capital letter", async () => {
    const context = await stage().newContext({ viewport: { width: 360, height: 740 } });
    try {
      const page = await context.newPage();
      const call = await openCall(page, stage().origin, "/telegram/message");
      await call.locator(".responses-table").waitFor();
      const seen = await page.evaluate(() => {
        const { document, getComputedStyle } = globalThis as unknown as Shown;
        const heading = document.querySelector("th");
        return [document.documentElement.scrollWidth, heading === null ? "" : getComputedStyle(heading, "::first-letter").textTransform];
      });
      expect(seen).toEqual([360, "uppercase"]);
    } finally {
      await context.close();
    }
  });
}

async function openCall(page: Page, origin: string, path: string): Promise<Locator> {
  await page.goto(`${origin}/docs`);
  const call = page.locator(".opblock").filter({ hasText: path }).first();
  // Swagger UI reads a document of more than a megabyte before it draws.
  await call.waitFor({ timeout: 120_000 });
  await call.locator(".opblock-summary-control").click();
  return call;
}

interface Shown {
  document: { documentElement: { scrollWidth: number }; querySelector: (selector: string) => object | null };
  getComputedStyle: (element: object, part: string) => { textTransform: string };
}
