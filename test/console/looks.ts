import { describe, expect, it } from "vitest";
import { axeFindings, goTo, signIn } from "../harness/browser.js";
import type { Stage } from "./stage.js";

export const placesOf = (session: string): readonly (readonly [address: string, heading: RegExp])[] => [
  ["#/sessions", /^Sessions/],
  ["#/sessions/new", /^New session/],
  ["#/sessions/bulk", /^Bulk actions/],
  ...[
    "",
    "/chats",
    "/chats/5100000001",
    "/send",
    "/story",
    "/groups",
    "/channels",
    "/channels/-1001900000016",
    "/webhook",
    "/dead-letters",
    "/settings",
  ].map((part) => [`#/sessions/${session}${part}`, /./] as const),
  ["#/overview", /^Overview/],
  ["#/members", /^Cluster/],
  ["#/slots/17", /^Slots/],
  ["#/webhooks", /^Webhooks/],
  ["#/tenants", /^Tenants/],
  ["#/tenants/acme", /^acme/],
  ["#/keys", /^API keys/],
  ["#/keyring", /^Encryption keys/],
  ["#/audit", /^Audit log/],
  ["#/nowhere", /Page not found/],
];

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

/** Tests the accessibility of every page in light and dark mode and on a phone. `session` returns a session that is logged in. */
export function looks(stage: () => Stage, session: () => string): void {
  describe.each([
    ["in light", { colorScheme: "light" }],
    ["in dark", { colorScheme: "dark" }],
    ["on a phone", phone],
  ] as const)("%s", (_, options) => {
    it("has no axe findings, no page wider than the screen, and no policy violation", () =>
      stage().look(async (seen) => {
        const wrong: string[] = (await axeFindings(seen.page)).map((finding) => `sign-in: ${finding}`);
        await signIn(seen, stage().gateway.adminKey);
        for (const [address, heading] of placesOf(session())) {
          await goTo(seen, address, heading);
          wrong.push(...(await axeFindings(seen.page)).map((finding) => `${address}: ${finding}`));
          const [wide, screen] = await seen.page.evaluate(() => {
            const { documentElement } = (
              globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } }
            ).document;
            return [documentElement.scrollWidth, documentElement.clientWidth];
          });
          if (wide > screen) wrong.push(`${address}: ${wide} pixels on a screen of ${screen}`);
        }
        expect(wrong).toEqual([]);
      }, options));
  });
}
