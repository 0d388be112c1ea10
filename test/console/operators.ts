import { expect, it } from "vitest";
import { loggedIn, request } from "../harness/api.js";
import { goTo, signIn } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import type { Stage } from "./stage.js";

/** Tests the actions of operators. `session` returns a session that is logged in. */
export function operators(stage: () => Stage, session: () => string): void {
  it("shows a read-only key no action that it may not do", () =>
    stage().visit(async (seen) => {
      const { id, key } = await stage().admin("POST", "/keys", { tenant: "default", role: "read", label: "looker" });
      await signIn(seen, String(key));
      const menu = seen.page.getByRole("navigation", { name: "Pages" });
      await goTo(seen, "#/members", "Cluster");
      expect(await menu.getByRole("link").allInnerTexts()).toEqual(["Overview", "Sessions", "Cluster", "Slots", "Webhooks", "Audit log"]);
      expect(await seen.page.getByRole("button", { name: "Drain" }).count()).toBe(0);
      // This key gets no live events about members, so the page needs a refresh.
      await seen.page.getByRole("button", { name: "Refresh" }).click();
      await seen.page.getByRole("row", { name: /shard-1/ }).waitFor();
      await goTo(seen, `#/sessions/${session()}`, /./);
      for (const name of ["Delete", "Restart", "Log out and relink", "Move"])
        expect(await seen.page.getByRole("button", { name }).count()).toBe(0);
      await goTo(seen, "#/tenants", /Page not found/);
      // A key that is revoked while its page is open leads back to the sign-in, with the reason.
      await stage().admin("DELETE", `/keys/${String(id)}`);
      await seen.page.getByText("this API key expired or was revoked").waitFor();
    }));

  it("creates a tenant and a key that is shown once, revokes the key after its label is typed, and deletes the tenant", () =>
    stage().visit(
      async (seen) => {
        const { page } = seen;
        const { origin } = stage();
        await signIn(seen, stage().gateway.adminKey);
        await goTo(seen, "#/tenants", "Tenants");
        await page.getByRole("button", { name: "New tenant" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.getByRole("button", { name: "New tenant" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.getByRole("button", { name: "New tenant" }).click();
        await page.getByLabel("Name").fill("Not a name");
        await page.getByRole("button", { name: "Create" }).click();
        await page.getByText("name must be 1 to 32 characters of a-z, 0-9 and -").waitFor();
        await page.getByLabel("Name").fill("globex");
        await page.getByRole("button", { name: "Create" }).click();
        await page.getByRole("heading", { level: 1, name: "globex" }).waitFor();
        await page.getByLabel("Sessions", { exact: true }).fill("7");
        await page.getByLabel("Messages per day").fill("500");
        await page.getByRole("form", { name: "Quotas" }).getByRole("button", { name: "Save" }).click();
        await eventually("the quota", async () => JSON.stringify(await stage().admin("GET", "/tenants/globex")).includes('"sessions":7'));

        await page.getByRole("progressbar", { name: "Sessions of globex" }).waitFor();
        await page.getByText("0 of 7", { exact: true }).waitFor();
        await page.getByRole("progressbar", { name: "Messages of globex today" }).waitFor();
        await page.getByText("0 of 500", { exact: true }).waitFor();

        const pace = page.getByRole("form", { name: "Sending pace" });
        await pace.getByLabel("Messages per minute").fill("-1");
        await pace.getByRole("button", { name: "Save" }).click();
        await pace.getByText("pace.sendsPerMinute must be an integer from 0 to 6000").waitFor();
        await pace.getByLabel("Messages per minute").fill("60");
        await pace.getByRole("button", { name: "Save" }).click();
        const isPaced = async (): Promise<boolean> =>
          JSON.stringify(await stage().admin("GET", "/tenants/globex")).includes('"pace":{"sendsPerMinute":60,"newContactsPerHour":null,');
        await eventually("the pace", isPaced);

        const warmUp = page.getByRole("form", { name: "Warm-up of new accounts" });
        await warmUp.getByLabel("Days").fill("14");
        await warmUp.getByRole("button", { name: "Save" }).click();
        await warmUp.getByText("pace.warmUp.from must be an integer from 1 to 100000").waitFor();
        await warmUp.getByLabel("Messages on the first day").fill("50");
        await warmUp.getByRole("button", { name: "Save" }).click();
        const warmsUp = async (): Promise<boolean> =>
          JSON.stringify(await stage().admin("GET", "/tenants/globex")).includes('"warmUp":{"days":14,"from":50}');
        await eventually("the warm-up", warmsUp);

        const proxy = page.getByRole("form", { name: "Proxy" });
        await proxy.getByLabel("Proxy URL").fill("proxy.example.com:1080");
        await proxy.getByRole("button", { name: "Save proxy" }).click();
        await proxy.getByText("proxy must be socks5://").waitFor();
        await proxy.getByLabel("Proxy URL").fill("socks5://ann:c0rrect-h0rse@proxy.example.com:1080");
        await proxy.getByRole("button", { name: "Save proxy" }).click();
        await proxy.getByText("Using the tenant's proxy: socks5://***@proxy.example.com:1080").waitFor();
        expect(await page.content()).not.toContain("c0rrect-h0rse");
        await proxy.getByRole("button", { name: "Remove proxy" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Remove proxy" }).click();
        await proxy.getByText("No tenant proxy.").waitFor();

        await page.getByRole("button", { name: "New key" }).click();
        await page.getByLabel("Label").fill("worker");
        await page.getByRole("button", { name: "Create" }).click();
        const key = await page.locator(".secret code").innerText();
        await page.getByRole("button", { name: "Copy key" }).click();
        expect(await page.evaluate(() => (globalThis as unknown as Clipboard).navigator.clipboard.readText())).toBe(key);
        expect((await request(`${origin}/admin/self`, { headers: { "x-api-key": key } })).body).toMatchObject({
          role: "tenant",
          tenant: "globex",
        });
        await page.getByRole("button", { name: "Done" }).click();
        await goTo(seen, "#/keys", "API keys");
        await page.getByLabel("Tenant").fill("globex");
        await page.getByRole("button", { name: "Filter" }).click();
        await page
          .getByRole("row", { name: /worker/ })
          .getByRole("button", { name: "Revoke" })
          .click();
        const agree = page.getByRole("dialog").getByRole("button", { name: "Revoke" });
        expect(await agree.isDisabled()).toBe(true);
        await page.getByLabel('Type "worker" to confirm').fill("worker");
        await agree.click();
        await eventually(
          "a key that is nobody's",
          async () => (await request(`${origin}/admin/self`, { headers: { "x-api-key": key } })).status === 401,
        );
        expect(await page.content()).not.toContain(key);

        await goTo(seen, "#/tenants/globex", "globex");
        await page.getByRole("button", { name: "Delete" }).click();
        await page.getByLabel('Type "globex" to confirm').fill("globex");
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
        await page.getByRole("heading", { level: 1, name: "Tenants" }).waitFor();
        expect((await stage().admin("GET", "/tenants/globex"))["message"]).toBe("tenant not found");
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    ));

  it("drains a shard, pins a slot, moves sessions, and finds all of it in the audit log", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      await signIn(seen, stage().gateway.adminKey);
      await goTo(seen, "#/members", "Cluster");
      const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });
      await row("shard-2").getByRole("button", { name: "Drain" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Drain" }).click();
      await row("shard-2").getByText("Drained", { exact: true }).waitFor();
      await row("shard-2").getByRole("button", { name: "Undrain" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Undrain" }).click();
      await row("shard-2").getByText("Active", { exact: true }).waitFor();
      // The counts update by live events as slots move, without polling.
      await eventually("all slots", async () => {
        const counts = await Promise.all(["shard-1", "shard-2"].map((name) => row(name).locator("td.number").first().innerText()));
        const slots = counts.map((count) => Number(count.replace(",", "")));
        return slots.every((count) => count > 0) && slots.reduce((sum, count) => sum + count, 0) === 4_096;
      });

      await goTo(seen, "#/sessions/bulk", "Bulk actions");
      await page.getByText("Move", { exact: true }).click();
      await page.getByLabel("Destination shard").selectOption("shard-2");
      await page.getByLabel(/^Select all/).check();
      await page.getByRole("button", { name: /^Move \d+/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: /^Move/ }).click();
      const listed = page.getByRole("region", { name: "Sessions to select" });
      await listed.getByText("done").first().waitFor();
      await eventually(
        "a session that has moved",
        async () => (await stage().admin("GET", `/sessions/${session()}`))["member"] === "shard-2",
      );
      await page.getByLabel(/^Select all/).uncheck();
      await page.getByText("Restart", { exact: true }).click();
      await listed.getByRole("checkbox").first().check();
      await page.getByRole("button", { name: "Restart 1" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Restart 1" }).click();
      await listed.getByText("done").first().waitFor();

      const { slot } = await stage().admin("GET", `/sessions/${session()}`);
      const pinned = async (): Promise<unknown> => (await stage().admin("GET", `/slots/${String(slot)}`))["pin"];
      await goTo(seen, "#/slots", "Slots");
      const shard = page.getByRole("button", { name: /^shard-1/ });
      await shard.click();
      expect(await shard.getAttribute("aria-pressed")).toBe("true");
      await shard.click();
      const map = page.getByRole("slider", { name: "Map of all slots" });
      await map.focus();
      for (const key of ["Home", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
      expect(await map.getAttribute("aria-valuetext")).toMatch(/^Slot 65 · shard-[12]( · pinned)?$/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Slot 65", exact: true }).waitFor();
      await map.click({ position: { x: 1, y: 1 } });
      await page.getByRole("heading", { name: "Slot 0", exact: true }).waitFor();
      await page.getByLabel("Slot", { exact: true }).fill(String(slot));
      await page.getByRole("button", { name: "Look up" }).click();
      await page.getByRole("button", { name: "Unpin" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Unpin" }).click();
      await eventually("a slot without a pin", async () => (await pinned()) === "");
      await page.getByLabel("Pin to shard").selectOption("shard-1");
      await page.getByRole("button", { name: "Pin", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Pin", exact: true }).click();
      await eventually("a pinned slot", async () => (await pinned()) === "shard-1");
      await stage().admin("DELETE", `/slots/${String(slot)}/pin`);

      // With pages of three rows there is more than one page.
      await page.route("**/admin/audit?*", (route) => route.continue({ url: route.request().url().replace("limit=200", "limit=3") }));
      await goTo(seen, "#/audit", "Audit log");
      await eventually("a second page", async () => {
        await page.getByRole("button", { name: "Load more" }).click();
        return (await page.getByRole("row").count()) > 4;
      });
      await page.unroute("**/admin/audit?*");
      await goTo(seen, "#/members", "Cluster");
      await goTo(seen, "#/audit", "Audit log");
      // The reads of this test are audit rows too, and a slow run has more of them.
      for (const what of ["Drained shard", "Undrained shard", "Moved session", "Unpinned slot"])
        await eventually(`${what} in the audit`, async () => {
          if (await page.getByRole("rowheader", { name: what }).first().isVisible()) return true;
          const more = page.getByRole("button", { name: "Load more" });
          if (await more.isVisible()) await more.click();
          return false;
        });
      await page.getByLabel("Session").fill(session());
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await eventually("its rows alone", async () => (await page.getByRole("row").filter({ hasNotText: session() }).count()) === 1);
      await page.getByRole("button", { name: "Last hour" }).click();
      await eventually("an instant in the address", () => page.url().includes("since="));
    }));

  it("shows messages per minute on the overview, and opens the sessions for keys that may not list members", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      await signIn(seen, stage().gateway.adminKey);
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      const figure = page.locator(".figures li").filter({ hasText: "Messages per minute" });
      await eventually("a first figure", async () => (await figure.locator("strong").innerText()) === "0");
      const { origin, gateway } = stage();
      const headers = { "x-api-key": gateway.adminKey, id: session(), "content-type": "application/json" };
      const body = JSON.stringify({ username: "bob_sandbox", type: "text", text: "counted" });
      expect((await request(`${gateway.telegram[0] ?? origin}/message`, { method: "POST", headers, body })).status).toBe(200);
      await eventually("the message", async () => Number((await figure.locator("strong").innerText()).replace("< ", "")) > 0);
      expect(((await figure.locator("polyline").getAttribute("points")) ?? "").split(" ").length).toBeGreaterThan(1);
      await page.locator(".health").getByText("2 alive").first().waitFor();

      const { id, key } = await stage().admin("POST", "/keys", { tenant: "default", role: "tenant", label: "no operator" });
      await page.getByRole("button", { name: "User menu" }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.evaluate("location.hash = '#/'");
      await signIn(seen, String(key));
      await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
      await stage().admin("DELETE", `/keys/${String(id)}`);
    }));

  it("shows the audit log newest first with key labels, and hides reads on request", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      const { id, key } = await stage().admin("POST", "/keys", { role: "admin", label: "night shift" });
      await signIn(seen, String(key));
      await goTo(seen, "#/audit", "Audit log");
      await page
        .getByRole("row")
        .filter({ hasText: "night shift" })
        .filter({ hasText: String(id) })
        .first()
        .waitFor();
      const times = page.getByRole("row").locator("time");
      const timeOf = async (index: number): Promise<number> => Date.parse((await times.nth(index).getAttribute("datetime")) ?? "");
      expect(await timeOf(0)).toBeGreaterThan(await timeOf(-1));
      const read = page.getByRole("rowheader", { name: "Checked API key" });
      expect(await read.count()).toBeGreaterThan(0);
      await page.getByLabel("Hide reads").check();
      await eventually("no reads", async () => page.url().includes("reads=0") && (await read.count()) === 0);
      await page.getByRole("rowheader", { name: "Created API key" }).first().waitFor();
      await page.getByLabel("Hide reads").uncheck();
      await read.first().waitFor();
      await page
        .getByText(/^(just now|\d+ (s|min) ago)$/)
        .first()
        .waitFor();
      await page.getByLabel("Action", { exact: true }).selectOption({ label: "Created API key" });
      await eventually("created keys alone", async () => {
        const actions = await page.getByRole("rowheader").allInnerTexts();
        return actions.length > 0 && actions.every((action) => action.startsWith("Created API key"));
      });
      await page.getByText(/^\d+ of \d+\+? entries$/).waitFor();
      await page.getByLabel("Action", { exact: true }).selectOption({ label: "All" });
      await read.first().waitFor();
      await stage().admin("DELETE", `/keys/${String(id)}`);
    }));

  it("filters the audit log by a local time", () =>
    stage().visit(
      async (seen) => {
        const { page } = seen;
        const asked = (name: string): string | null => new URLSearchParams(page.url().split("?")[1]).get(name);
        await signIn(seen, stage().gateway.adminKey);
        await goTo(seen, "#/audit?since=2026-11-22T10:00:01.234Z", "Audit log");
        const since = page.getByLabel("Since");
        // This time zone differs from the gateway's by a number of hours and a half.
        expect(await since.inputValue()).toBe("2026-11-22T15:30");
        await page.getByLabel("Session").fill(session());
        await page.keyboard.press("Enter");
        await eventually("the session in the address", () => asked("session") === session());
        expect(asked("since")).toBe("2026-11-22T10:00:01.234Z");
        await since.fill("2026-11-22T10:00");
        await page.getByRole("button", { name: "Filter", exact: true }).click();
        await eventually("the instant in the address", () => asked("since") === "2026-11-22T04:30:00.000Z");
        // Changes the minute by keyboard.
        await since.focus();
        for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", "Enter"]) await page.keyboard.press(key);
        await eventually("a minute later", () => asked("since") === "2026-11-22T04:31:00.000Z");
      },
      { timezoneId: "Asia/Kolkata", locale: "en-GB" },
    ));

  it("rotates the encryption key and shows the progress live", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      await signIn(seen, stage().gateway.adminKey);
      await goTo(seen, "#/keyring", "Encryption keys");
      await page.getByRole("row", { name: /^a Active/ }).waitFor();
      await page.getByLabel("Encrypt with").selectOption("b");
      await page.getByRole("button", { name: "Rotate" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
      await page.getByText(/Re-encrypted/).waitFor();
      await page.getByRole("row", { name: /^b Active/ }).waitFor();
      const { rotation } = (await stage().admin("GET", "/keyring")) as { rotation: { state: string; done: number; total: number } };
      expect(rotation).toMatchObject({ state: "ended", done: rotation.total });
      expect(rotation.done).toBeGreaterThan(0);
    }));

  it("announces changed sessions outside the search, and offers to clear a search without results", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      await signIn(seen, stage().gateway.adminKey);
      await goTo(seen, "#/sessions", "Sessions");
      await page.getByLabel("State").selectOption("connected");
      await page.getByLabel("Platform").selectOption("telegram");
      await page.getByRole("region", { name: "Sessions" }).getByRole("link").first().waitFor();
      const { id } = (await loggedIn(stage().gateway, "frank", "whatsapp")).credentials;
      await page.getByRole("button", { name: /updates? · Refresh/ }).click();
      await page.getByRole("button", { name: /updates? · Refresh/ }).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.getByRole("link", { name: new RegExp(id) }).waitFor();
      await page.getByLabel("Search").fill("nobody of that name");
      await page.locator(".empty").getByRole("button", { name: "Clear filters" }).click();
      await page.getByRole("link", { name: new RegExp(id) }).waitFor();
    }));
}

interface Clipboard {
  navigator: { clipboard: { readText(): Promise<string> } };
}
