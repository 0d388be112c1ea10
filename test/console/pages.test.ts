import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, request } from "../harness/api.js";
import { axeFindings, goTo, openConsole, signIn, startBrowser } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";

/** Every page of the console, for whoever does not see or point, in light and dark, on a phone; and what operators do there. One gateway for all. */
let gateway: Gateway;
let origin: string;
let browser: Browser;
let session: string;
const admin = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> =>
  (
    await request(`${origin}/admin${path}`, {
      method,
      headers: { "x-api-key": gateway.adminKey, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  ).body as Record<string, unknown>;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([startGateway({ shards: 2 }), startBrowser()]);
  origin = new URL(gateway.telegram[0] ?? "").origin;
  ({
    credentials: { id: session },
  } = await loggedIn(gateway, "alice"));
  await admin("POST", "/tenants", { name: "acme", quotas: { sessions: 5 } });
  await admin("POST", "/keys", { tenant: "acme", role: "tenant", label: "backend" });
});
afterAll(() => Promise.all([browser.close(), gateway.stop()]));

const places = (): readonly (readonly [address: string, heading: RegExp])[] => [
  ["#/sessions", /^Sessions/],
  ["#/sessions/new", /^New session/],
  ["#/sessions/bulk", /^Many at once/],
  ...["", "/send", "/story", "/groups", "/channels", "/channels/-1001900000016", "/webhook", "/dead-letters"].map(
    (part) => [`#/sessions/${session}${part}`, /./] as const,
  ),
  ["#/overview", /^Overview/],
  ["#/members", /^Members/],
  ["#/slots/17", /^Slots/],
  ["#/webhooks", /^Webhooks/],
  ["#/tenants", /^Tenants/],
  ["#/tenants/acme", /^acme/],
  ["#/keys", /^API keys/],
  ["#/keyring", /^Keyring/],
  ["#/audit", /^Audit/],
  ["#/nowhere", /no such page/],
];
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

describe.each([
  ["in light", { colorScheme: "light" }],
  ["in dark", { colorScheme: "dark" }],
  ["on a phone", phone],
] as const)("%s", (_, options) => {
  it("no page has what axe finds wrong, is wider than its screen, or does what the policy refuses", async () => {
    const seen = await openConsole(browser, origin, options);
    const wrong: string[] = (await axeFindings(seen.page)).map((finding) => `sign-in: ${finding}`);
    await signIn(seen, gateway.adminKey);
    for (const [address, heading] of places()) {
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
    await seen.close();
    expect(wrong).toEqual([]);
    expect(seen.faults).toEqual([]);
  });
});

it("a key of the role read sees what it may, and nothing that it may not do", async () => {
  const { id, key } = await admin("POST", "/keys", { tenant: "default", role: "read", label: "looker" });
  const seen = await openConsole(browser, origin);
  await signIn(seen, String(key));
  const menu = seen.page.getByRole("navigation", { name: "Pages" });
  await goTo(seen, "#/members", "Members");
  expect(await menu.getByRole("link").allInnerTexts()).toEqual(["Sessions", "Overview", "Members", "Slots", "Webhooks", "Audit"]);
  expect(await seen.page.getByRole("button", { name: "Drain" }).count()).toBe(0);
  await goTo(seen, `#/sessions/${session}`, /./);
  for (const name of ["Delete", "Restart", "Reset", "Move"]) expect(await seen.page.getByRole("button", { name }).count()).toBe(0);
  await goTo(seen, "#/tenants", /no such page/);
  // A key that ends while somebody looks leads back to the sign-in, with the API's own sentence.
  await admin("DELETE", `/keys/${String(id)}`);
  await seen.page.getByText("invalid api key").waitFor();
  await seen.close();
  expect(seen.faults).toEqual([]);
});

it("an operator makes a tenant and a key that is shown once, revokes it by its name typed, and deletes the tenant", async () => {
  const seen = await openConsole(browser, origin);
  const { page } = seen;
  await signIn(seen, gateway.adminKey);
  await goTo(seen, "#/tenants", "Tenants");
  await page.getByRole("button", { name: "New tenant" }).click();
  await page.getByLabel("Name").fill("Not a name");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("name must be 1 to 32 characters of a-z, 0-9 and -").waitFor();
  await page.getByLabel("Name").fill("globex");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "globex" }).waitFor();
  await page.getByLabel("Sessions", { exact: true }).fill("7");
  await page.getByRole("button", { name: "Save" }).click();
  await eventually("the quota", async () => JSON.stringify(await admin("GET", "/tenants/globex")).includes('"sessions":7'));

  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Label").fill("worker");
  await page.getByRole("button", { name: "Create" }).click();
  const key = await page.locator(".secret code").innerText();
  expect((await request(`${origin}/admin/self`, { headers: { "x-api-key": key } })).body).toMatchObject({
    role: "tenant",
    tenant: "globex",
  });
  await page.getByRole("button", { name: "I have it" }).click();
  await page.getByRole("button", { name: "Revoke" }).click();
  const agree = page.getByRole("dialog").getByRole("button", { name: "Revoke" });
  expect(await agree.isDisabled()).toBe(true);
  await page.getByLabel("Type worker to agree").fill("worker");
  await agree.click();
  await eventually(
    "a key that is nobody's",
    async () => (await request(`${origin}/admin/self`, { headers: { "x-api-key": key } })).status === 401,
  );
  expect(await page.content()).not.toContain(key);

  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByLabel("Type globex to agree").fill("globex");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("heading", { level: 1, name: "Tenants" }).waitFor();
  expect((await admin("GET", "/tenants/globex"))["message"]).toBe("tenant not found");
  await seen.close();
  expect(seen.faults).toEqual([]);
});

it("an operator drains a shard, sees its slots leave, pins one, moves sessions, and has all of it in the audit", async () => {
  const seen = await openConsole(browser, origin);
  const { page } = seen;
  await signIn(seen, gateway.adminKey);
  await goTo(seen, "#/members", "Members");
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
  await row("shard-2").getByRole("button", { name: "Drain" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Drain" }).click();
  await row("shard-2").getByText("drained", { exact: true }).waitFor();
  await row("shard-2").getByRole("button", { name: "Undrain" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undrain" }).click();
  await row("shard-2").getByText("active", { exact: true }).waitFor();

  await goTo(seen, "#/sessions/bulk", "Many at once");
  await page.getByText("Move", { exact: true }).click();
  await page.getByLabel("To the shard").selectOption("shard-2");
  await page.getByLabel(/^All/).check();
  await page.getByRole("button", { name: /^Move \d+/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: /^Move/ }).click();
  await page.getByRole("region", { name: "Sessions to choose from" }).getByText("done").first().waitFor();
  await eventually("a session that has moved", async () => (await admin("GET", `/sessions/${session}`))["member"] === "shard-2");

  const { slot } = await admin("GET", `/sessions/${session}`);
  await goTo(seen, `#/slots/${String(slot)}`, "Slots");
  await page.getByRole("button", { name: "Take the pin away" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Take the pin away" }).click();
  await eventually("a slot without a pin", async () => (await admin("GET", `/slots/${String(slot)}`))["pin"] === "");

  await goTo(seen, "#/audit", "Audit");
  for (const what of ["drain-member", "undrain-member", "move-session", "unpin-slot"])
    await page.getByRole("rowheader", { name: what }).first().waitFor();
  await seen.close();
  expect(seen.faults).toEqual([]);
});

it("in a slow network the page says that it waits, and comes; without one it says so, and goes on where it was", async () => {
  const seen = await openConsole(browser, origin);
  const { page } = seen;
  await signIn(seen, gateway.adminKey);
  let letThrough: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route("**/admin/members*", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${origin}/console#/members`);
  await page.locator(".loading").first().waitFor();
  await page.getByText("The answer takes its time").waitFor();
  letThrough();
  await page.getByRole("row", { name: /shard-1/ }).waitFor();

  await goTo(seen, "#/tenants", "Tenants");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "New tenant" }).click();
  await page.getByLabel("Name").fill("initech");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("the gateway cannot be reached").waitFor();
  await page.getByText("Gateway not reached").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name: "initech" }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await seen.close();
  expect(seen.faults).toEqual([]);
});
