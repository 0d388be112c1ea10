import { expect, it } from "vitest";
import type { Stage } from "./stage.js";

/** Tests that the API reference can be read on a phone. */
export function apiReference(stage: () => Stage): void {
  it("shows an opened call within a phone's width, and table headings with a capital letter", async () => {
    const context = await stage().newContext({ viewport: { width: 360, height: 740 } });
    try {
      const page = await context.newPage();
      await page.goto(`${stage().origin}/docs`);
      const call = page.locator(".opblock").filter({ hasText: "/telegram/message" }).first();
      // Swagger UI reads the document of more than a megabyte before it draws: 8 s on two free cores.
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
