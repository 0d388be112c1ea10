import { randomBytes, randomUUID } from "node:crypto";
import { pause } from "../../../shared/flow/pause.js";
import type { Platform } from "../../../shared/contract/platform.js";
import { fetchWithin } from "../gateway/fetch-within.js";
import { isDocs, isNamed } from "../gateway/responses.js";
import { GatewayClient } from "../gateway/gateway-client.js";
import type { CheckedAccount } from "./checked-account.js";
import { isListener, listenForEvents } from "./event-listener.js";
import { LeftOut } from "./left-out.js";
import { endOwner } from "./shard-process.js";
import type { Step } from "./step.js";

const pollMs = 500;
/** Time limit for events that depend on a person or a platform. */
const eventMs = 120_000;
const connectionMs = 180_000;
/** Time limit for removing a webhook. */
const offMs = 10_000;

/** Returns the steps in order: steps that others cannot see come first, steps that end processes come last. */
export function stepsOf(platform: Platform): readonly Step[] {
  const step = (name: string, run: Step["run"], needs?: string): Step => ({
    platform,
    name,
    run,
    ...(needs === undefined ? {} : { needs }),
  });
  return [
    step("text to oneself", (account) => account.send({ type: "text", text: "live check" }).then(() => "accepted")),
    step("the same text again under its key", repeated),
    ...mediaSteps(step),
    step("place to oneself", (account) =>
      account.send({ type: "location", location: { latitude: 48.8584, longitude: 2.2945 } }).then(() => "accepted"),
    ),
    step("contact to oneself", async (account) => {
      const { phone } = await account.record();
      await account.send({ type: "contact", contact: { name: "Live check", phone } });
      return "accepted";
    }),
    step("typing", async (account) => {
      const { phone } = await account.record();
      await account.pace();
      const { cli } = account.settings;
      await cli.client.request(
        { method: "POST", path: `${account.path}/typing`, headers: account.headers, body: { phone, type: "text" } },
        isNamed,
      );
      return "accepted";
    }),
    ...["group", "channel"].map((list) =>
      step(`list of ${list}s`, async (account) => {
        await account.pace();
        const { docs } = await account.settings.cli.client.request({ path: `${account.path}/${list}`, headers: account.headers }, isDocs);
        return docs.length === 0 ? "empty" : "not empty";
      }),
    ),
    ...(platform === "telegram" ? [step("webhook, and a file that came in", incoming)] : []),
    step(
      platform === "telegram" ? "story to one person" : "status to one person",
      status,
      "A text will be shown for 24 hours to the one person that you choose for it. Go on?",
    ),
    step("restart of the shard", (account) => backAfter(account, "SIGTERM")),
    step("kill of the shard", (account) => backAfter(account, "SIGKILL")),
  ];
}

function mediaSteps(step: (name: string, run: Step["run"]) => Step): Step[] {
  const kinds: Record<string, (url: (file: string) => string) => Record<string, unknown>> = {
    image: (url) => ({ image: { url: url("photo.jpg"), mimetype: "image/jpeg" } }),
    video: (url) => ({ video: { url: url("video.mp4"), mimetype: "video/mp4", duration: 3 } }),
    audio: (url) => ({ audio: { url: url("audio.mp3"), mimetype: "audio/mpeg", duration: 3 } }),
    document: (url) => ({ document: { url: url("document.pdf"), mimetype: "application/pdf", name: "document.pdf", size: 1 } }),
  };
  return Object.entries(kinds).map(([type, content]) =>
    step(`${type} to oneself`, async (account) => {
      const { media } = account.settings;
      if (media === undefined) throw new LeftOut("no --media");
      await account.send({ type, ...content((file) => `${media}/${file}`) });
      return "accepted";
    }),
  );
}

async function repeated(account: CheckedAccount): Promise<string> {
  const key = `live-check-${randomUUID()}`;
  const content = { type: "text", text: "live check, once" };
  const [first, again] = [await account.send(content, key), await account.send(content, key)];
  if (first !== again) throw new Error("the repeat is another message");
  return "the same message";
}

async function status(account: CheckedAccount): Promise<string> {
  await account.settings.person.does(account.platform, "one-person-audience");
  const body = { type: "text", text: "live check", ...(account.platform === "telegram" ? { privacy: "close_friends" } : {}) };
  await account.post("status", body, `live-check-${randomUUID()}`);
  return "accepted";
}

/** Sets a webhook to a receiver on this machine for the duration of the step. */
async function incoming(account: CheckedAccount): Promise<string> {
  const { cli, person } = account.settings;
  const token = randomBytes(24).toString("base64url");
  const { webhook: before } = await account.record();
  // The webhook of an interrupted run leads to a stopped receiver, so it may be replaced.
  if (before.url !== "" && !isListener(before.url)) throw new LeftOut("the session has a webhook of its own");
  const listener = await listenForEvents(token);
  const set = (client: GatewayClient, url: string, given: string): Promise<unknown> =>
    client.request(
      { method: "PUT", path: `${account.path}/session/webhook`, headers: account.headers, body: { url, token: given } },
      isNamed,
    );
  try {
    await set(cli.client, listener.url, token);
    await person.does(account.platform, "send-a-photo");
    const event = await seen(account, () => listener.events.find(({ type, data }) => type === "message.new" && Boolean(data.url)));
    const byteLength = await fetchWithin(event.data.url ?? "", { signal: cli.signal, withinMs: eventMs }, sizeOf);
    if (byteLength !== event.data.size) throw new Error("the file has another size than its event says");
    if (listener.rejected() > 0) throw new Error("a request came without the token");
    return "event and file arrived";
  } finally {
    listener.stop();
    // After Ctrl-C the usual client sends nothing, so a new client removes the webhook.
    await set(new GatewayClient(cli.client.address, AbortSignal.timeout(offMs)), "", "");
  }
}

async function sizeOf(response: Response): Promise<number> {
  if (!response.ok) throw new Error(`the file's link answers ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}

async function seen<T>(account: CheckedAccount, read: () => T | undefined): Promise<T> {
  const { signal } = account.settings.cli;
  for (const endsAt = performance.now() + eventMs; performance.now() < endsAt; ) {
    const found = read();
    if (found !== undefined) return found;
    await pause(pollMs, signal);
    signal.throwIfAborted();
  }
  throw new Error(`nothing came within ${eventMs / 1_000} s`);
}

/** Ends the owner and checks that the session reconnects without a code and can send. */
async function backAfter(account: CheckedAccount, signal: "SIGTERM" | "SIGKILL"): Promise<string> {
  await account.pace();
  await endOwner(account, signal);
  const startedAt = performance.now();
  for (;;) {
    account.settings.cli.signal.throwIfAborted();
    const record = await account.record().catch(() => undefined); // The session is between two owners.
    if (record?.isConnected === true) break;
    if (record !== undefined && record.qrcode !== "") throw new Error("a new code is asked for");
    if (performance.now() - startedAt > connectionMs) throw new Error(`not connected within ${connectionMs / 1_000} s`);
    await pause(pollMs, account.settings.cli.signal);
  }
  await account.send({ type: "text", text: "live check" });
  return "connected without a code, and a text was accepted";
}
