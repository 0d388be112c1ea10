import { expect, it } from "vitest";
import { slotOf } from "../../shared/contract/slot.js";
import { keys } from "../../shared/redis/keys.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { qrValidityMs } from "../../shared/limits.js";
import { tickMs } from "../../shard/session/deadlines.js";
import { createSession, loggedIn } from "../harness/api.js";
import { goTo, signIn } from "../harness/browser.js";
import { startHeldCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { WhatsAppSide } from "../harness/whatsapp-side.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";
import type { Stage } from "./stage.js";

/** Tests the actions on one session: every kind of login, the webhook and the deletion. */
export function oneSession(stage: () => Stage): void {
  it("shows that the platform restricts the account, what it refused, and the end of the restriction", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      const { gateway } = stage();
      const side = new WhatsAppSide(gateway);
      for (const account of ["rita", "stranger"]) await side.post("/accounts", { account });
      const rita = await loggedIn(gateway, "rita", "whatsapp");
      const { id } = rita.credentials;
      await signIn(seen, gateway.adminKey);
      await goTo(seen, `#/sessions/${id}`, /./);
      await page.locator(".session-head").getByText("Connected", { exact: true }).waitFor();
      expect(await page.getByRole("heading", { name: "Account health" }).count()).toBe(0);
      await side.fault({ account: "rita", kind: "restricted", error: "silent" });
      const message = { phone: await side.phoneOf("stranger"), type: "text", text: "Hello" };
      expect((await rita.send("POST", "/message", message)).status).toBe(500);
      await page.locator(".session-head").getByText("Restricted", { exact: true }).waitFor();
      await page.getByText(/^Restricted until /).waitFor();
      const isStored = async (): Promise<boolean> => JSON.stringify(await stage().admin("GET", `/sessions/${id}`)).includes("463: ");
      await eventually("the refusal", isStored);
      await goTo(seen, "#/sessions", "Sessions");
      await page.locator(`a[href$="/sessions/${id}"]`).getByText("Restricted", { exact: true }).waitFor();
      await goTo(seen, `#/sessions/${id}`, /./);
      await page.getByText("Account restricted: 1 request").waitFor();
      await page.getByText(/^463: the account is restricted/).waitFor();
      await side.fault({ account: "rita", kind: "restricted" });
      await side.clearFaults();
      await page.locator(".session-head").getByText("Restricted", { exact: true }).waitFor({ state: "detached" });
      await rita.send("DELETE", "/session");
    }));

  it("asks for the password again after a wrong one, then moves, restarts, resets and deletes the session", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      const { gateway } = stage();
      const id = (await createSession(gateway)).credentials.id as SessionId;
      const row = (): Promise<Record<string, unknown>> => stage().admin("GET", `/sessions/${id}`);
      const sections = page.getByRole("navigation", { name: "Session sections" });
      const open = (section: string): Promise<void> => sections.getByRole("link", { name: section, exact: true }).click();
      await signIn(seen, gateway.adminKey);
      await goTo(seen, `#/sessions/${id}`, /./);
      const first = await page.getByRole("img", { name: /QR code/ }).getAttribute("src");
      // Without an account there is nothing to send with and nothing to list.
      expect(await sections.getByRole("link").allInnerTexts()).toEqual(["Overview", "Webhook", "Failed events", "Settings"]);
      for (const name of ["Restart", "Log out and relink"]) expect(await page.getByRole("button", { name }).count()).toBe(0);
      await page.getByRole("button", { name: "Start over" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByLabel("Account").selectOption("dave");
      await page.getByRole("button", { name: "Scan as dave" }).click();
      await page.getByLabel("Password", { exact: true }).fill("wrong horse");
      await page.getByLabel("Show password").check();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("invalid password").waitFor();
      await page.getByLabel("Password", { exact: true }).fill("correct horse");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.locator(".session-head").getByText("Connected", { exact: true }).waitFor();

      const target = (await row())["member"] === "shard-1" ? "shard-2" : "shard-1";
      await sections.getByRole("link", { name: "Send", exact: true }).waitFor();
      await open("Settings");
      await page.getByRole("button", { name: "Move" }).click();
      await page.getByRole("dialog").getByLabel("Shard").selectOption(target);
      await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
      await page.getByText(`${target} (slot ${slotOf(id)})`).waitFor();
      await page.locator(".session-head").getByText("Connected", { exact: true }).waitFor();
      await stage().admin("DELETE", `/slots/${slotOf(id)}/pin`);

      await open("Overview");
      const since = (await row())["since"];
      await page.getByRole("button", { name: "Restart" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Restart" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await eventually("another connection", async () => {
        const now = await row();
        return now["state"] === "connected" && now["since"] !== since;
      });

      // The proxy leads nowhere, so the login has to wait.
      const proxy = page.getByRole("form", { name: "Proxy" });
      await open("Settings");
      await proxy.getByText("No proxy.").waitFor();
      await proxy.getByLabel("Proxy URL").fill("http://ann:c0rrect-h0rse@192.0.2.1:3128");
      await proxy.getByRole("button", { name: "Save proxy" }).click();
      await proxy.getByText("Using this session's proxy: http://***@192.0.2.1:3128").waitFor();
      await eventually("why", async () => (await row())["lastError"] === "the proxy's address is not allowed");
      expect((await row())["state"]).toBe("disconnected");
      // A reload discards the record of pressed handlers, so it is stored first.
      await stage().pressed.note(page);
      await stage().pressed.watch(page);
      await page.reload();
      await open("Overview");
      await page.locator(".facts").getByText("the proxy's address is not allowed").waitFor();
      await open("Settings");
      await proxy.getByRole("button", { name: "Remove proxy" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove proxy" }).click();
      await proxy.getByText("No proxy.").waitFor();
      await page.locator(".session-head").getByText("Connected", { exact: true }).waitFor();

      await open("Overview");
      await page.getByRole("button", { name: "Log out and relink" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Log out and relink" }).click();
      const next = page.getByRole("img", { name: /QR code/ });
      await next.waitFor();
      expect(await next.getAttribute("src")).not.toBe(first);

      await open("Settings");
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
      expect((await row())["message"]).toBe("session not found");
      // The page of a deleted session shows the deletion, and a session that its owner deleted cannot be restored.
      await page.goto(new URL(`#/sessions/${id}`, page.url()).href);
      await page.getByRole("button", { name: "Restore session" }).click();
      await page.getByText(/Couldn't restore session/).waitFor();
    }));

  it("restores an expired session with its label and its code", async () => {
    // The deletion timers of this cluster use only the time that the test passes.
    const held = await startHeldCluster();
    try {
      const { id } = (await createSession(held, "telegram", { label: "nobody scanned it" })).credentials;
      await stage().visit(
        async (seen) => {
          const { page } = seen;
          await signIn(seen, held.adminKey);
          await goTo(seen, `#/sessions/${id}`, "nobody scanned it");
          await page.getByRole("img", { name: /QR code/ }).waitFor();
          held.pass(qrValidityMs + tickMs);
          // The page updates by a live event.
          await page.getByRole("heading", { level: 1, name: "Session not found" }).waitFor();
          await page.getByRole("button", { name: "Restore session" }).click();
          await page.getByRole("heading", { level: 1, name: "nobody scanned it" }).waitFor();
          await page.getByRole("img", { name: /QR code/ }).waitFor();
        },
        {},
        `${new URL(held.telegram[0] ?? "").origin}/console`,
      );
    } finally {
      await held.stop();
    }
  });

  it("shows a new code by a live event, without polling", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      const { id } = (await createSession(stage().gateway)).credentials;
      await signIn(seen, stage().gateway.adminKey);
      await goTo(seen, `#/sessions/${id}`, /./);
      const code = page.getByRole("img", { name: /QR code/ });
      const before = await code.getAttribute("src");
      let asked = 0;
      page.on("request", (made) => {
        if (made.url().endsWith("/telegram/session")) asked += 1;
      });
      await eventually("another code", async () => (await code.getAttribute("src")) !== before);
      // The page reads once per live event.
      expect(asked).toBeLessThanOrEqual(2);
      await stage().admin("DELETE", `/sessions/${id}`);
      await page.getByRole("heading", { level: 1, name: "Session not found" }).waitFor();
    }));

  it("links an account with a pairing code", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      await signIn(seen, stage().gateway.adminKey);
      await goTo(seen, "#/sessions/new", "New session");
      await page.getByText("WhatsApp", { exact: true }).click();
      await page.getByLabel("Metadata").fill("{ no JSON");
      await page.getByRole("button", { name: "Create session" }).click();
      await page.getByText("Enter valid JSON").waitFor();
      await page.getByLabel("Metadata").fill('{"customer": 42}');
      await page.getByLabel("Phone number").fill(await new WhatsAppSide(stage().gateway).phoneOf("carol"));
      await page.getByRole("button", { name: "Create session" }).click();
      await page.getByLabel("Account").selectOption("carol");
      await page.locator(".session-head").getByText("Awaiting pairing", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Enter code as carol" }).click();
      await page.locator(".session-head").getByText("Connected", { exact: true }).waitFor();
    }));

  it("sets a webhook, shows live deliveries, replays failed events and turns the webhook off", async () => {
    const receiver = await WebhookReceiver.start();
    try {
      await stage().visit((seen) => webhook(stage(), seen, receiver));
    } finally {
      await receiver.stop();
    }
  });

  it("chooses the events of a WhatsApp session", () =>
    stage().visit(async (seen) => {
      const { page } = seen;
      const caller = await createSession(stage().gateway, "whatsapp");
      const url = "http://127.0.0.1:9/hook";
      await signIn(seen, stage().gateway.adminKey);
      await goTo(seen, `#/sessions/${caller.credentials.id}/webhook`, /./);
      await page.getByLabel("Endpoint URL").fill(url);
      await page.getByRole("button", { name: "Generate secret" }).click();
      const types = ["message.new", "message.edited", "message.deleted", "message.read"];
      for (const type of types) await page.getByText(type, { exact: true }).click();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("events should not be empty").waitFor();
      for (const type of ["call.offered", "message.new"]) await page.getByText(type, { exact: true }).click();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      expect((await caller.record()).webhook).toMatchObject({ url, events: ["message.new", "call.offered"] });
    }));
}

type Seen = Parameters<Parameters<Stage["visit"]>[0]>[0];

async function webhook(stage: Stage, seen: Seen, receiver: WebhookReceiver): Promise<void> {
  const { page } = seen;
  const telegram = new TelegramSide(stage.gateway);
  const { docs } = (await stage.admin("GET", "/sessions?platform=telegram&q=alice_sandbox")) as { docs: { id: SessionId }[] };
  const id = docs[0]?.id ?? ("" as SessionId);
  await signIn(seen, stage.gateway.adminKey);
  await goTo(seen, `#/sessions/${id}/webhook`, /./);
  await page.getByLabel("Endpoint URL").fill(receiver.url);
  await page.getByRole("button", { name: "Generate secret" }).click();
  await page.getByRole("button", { name: "Hide secret" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();

  await page.getByRole("button", { name: "Retry now" }).click();
  await page.getByText("No pending events.").waitFor();
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByText("Test event queued").waitFor();
  await eventually("the test event", () => receiver.taken.length === 1);
  expect(JSON.parse(receiver.taken[0]?.body.toString() ?? "")).toMatchObject({ type: "test", session: id });

  // The next retry would be due in an hour, so only "Retry now" delivers the event.
  receiver.respond = () => (response) => void response.writeHead(503, { "retry-after": "3600" }).end();
  await telegram.post("/people/send", { account: "alice", chat: "bob", text: "to be delivered late" });
  const live = page.getByRole("region", { name: "Live deliveries" }).getByRole("row").nth(1);
  const count = async (column: number): Promise<number> => Number(await live.getByRole("cell").nth(column).innerText());
  await eventually("a failed attempt, told live", async () => (await count(1)) > 0);
  // Copies the event into the dead letters, as if its retries had ended.
  await stage.withRedis(async (redis) => {
    const [[, fields] = ["", []]] = await redis.xrangeBuffer(keys.outbox(id), "-", "+");
    await redis.xadd(keys.deadLetters(id), "*", ...fields, "n", "100", "r", "attempts");
  });
  receiver.respond = () => 200;
  await page.getByRole("button", { name: "Retry now" }).click();
  await page.getByText("Sending 1 event now.").waitFor();
  await eventually("the delivery, told live", async () => (await count(0)) > 1);

  await goTo(seen, "#/webhooks", "Webhooks");
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("All caught up").waitFor();
  await goTo(seen, `#/sessions/${id}/dead-letters`, /./);
  await page.getByText("100 failed attempts").waitFor();
  await page.getByRole("button", { name: "Replay all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replay all" }).click();
  await page.getByText("Replaying 1 event.").waitFor();
  await page.getByRole("heading", { name: "No failed events" }).waitFor();
  await eventually("the same event once more", () => receiver.taken.length === 3 && receiver.taken[1]?.id === receiver.taken[2]?.id);

  await goTo(seen, `#/sessions/${id}/webhook`, /./);
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await page.getByText("Status: Off").waitFor();
}
