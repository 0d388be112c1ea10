import { expect, it } from "vitest";
import type { Stage } from "./stage.js";

/** Tests that the API reference shows calls with all that they refer to, and can be read on a phone. */
export function apiReference(stage: () => Stage): void {
  it("shows the schemas and the errors that a call refers to", async () => {
    const context = await stage().newContext();
    try {
      const page = await context.newPage();
      await page.goto(`${stage().origin}/docs`);
      const call = page.locator(".opblock").filter({ hasText: "/telegram/message/voice" }).first();
      await call.waitFor({ timeout: 120_000 });
      await call.locator(".opblock-summary-control").click();
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
      await page.goto(`${stage().origin}/docs`);
      const call = page.locator(".opblock").filter({ hasText: "/telegram/message" }).first();
      // Swagger UI reads a document of more than a megabyte before it draws.
      await call.waitFor({ timeout: 120_000 });
      await call.locator(".opblock-summary-control").click();
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

interface Shown {
  document: { documentElement: { scrollWidth: number }; querySelector: (selector: string) => object | null };
  getComputedStyle: (element: object, part: string) => { textTransform: string };
}
