import { randomUUID } from "node:crypto";
import { pause } from "../../../shared/flow/pause.js";
import type { Platform } from "../../../shared/contract/platform.js";
import { isDocs, isNamed } from "../gateway/responses.js";
import type { CheckedAccount } from "./checked-account.js";
import { LeftOut } from "./left-out.js";
import { endOwner } from "./shard-process.js";
import type { Step } from "./step.js";
import { incomingFile, incomingMessages } from "./webhook-steps.js";

const pollMs = 500;
const connectionMs = 180_000;

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
    platform === "telegram"
      ? step("webhook, and a file that came in", incomingFile)
      : step(
          "webhook, and messages that came in",
          incomingMessages,
          "Somebody who knows of this writes to the account, and gets one answer. Go on?",
        ),
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
