import { randomBytes, randomUUID } from "node:crypto";
import { pause } from "../../../shared/flow/pause.js";
import { fetchWithin } from "../gateway/fetch-within.js";
import { GatewayClient } from "../gateway/gateway-client.js";
import { isNamed } from "../gateway/responses.js";
import type { CheckedAccount } from "./checked-account.js";
import { isListener, listenForEvents, type ReceivedEvent } from "./event-listener.js";
import { LeftOut } from "./left-out.js";

const pollMs = 500;
/** Time limit for events that depend on a person or a platform. */
const eventMs = 120_000;
/** Time limit for removing a webhook. */
const offMs = 10_000;

/** Waits for an event and returns it. */
type NextEvent = (isWanted: (event: ReceivedEvent) => boolean) => Promise<ReceivedEvent>;

/** Receives one file and opens its link. */
export async function incomingFile(account: CheckedAccount): Promise<string> {
  return await withReceiver(account, async (next) => {
    await receiveFile(account, next);
    return "event and file arrived";
  });
}

/** Receives a text, its edit, its deletion and a picture, and sends one message back by the id of the chat. */
export async function incomingMessages(account: CheckedAccount): Promise<string> {
  const { person } = account.settings;
  return await withReceiver(account, async (next) => {
    await person.does(account.platform, "write-edit-delete");
    // Others may write meanwhile, but they edit nothing.
    const { data: edited } = await next(({ type, data }) => type === "message.edited" && data.fromMe === false);
    const { id = "", chat } = edited;
    await next(({ type, data }) => type === "message.new" && data.id === id);
    await next(({ type, data }) => type === "message.deleted" && data.ids?.includes(id) === true);
    await receiveFile(account, next);
    const answer = { user: chat?.id ?? "", type: "text", text: "live check" };
    await account.post("message", answer, `live-check-${randomUUID()}`);
    return "text, edit, deletion and picture arrived, and an answer was accepted";
  });
}

async function receiveFile(account: CheckedAccount, next: NextEvent): Promise<void> {
  const { cli, person } = account.settings;
  await person.does(account.platform, "send-a-photo");
  const { data } = await next((event) => event.type === "message.new" && Boolean(event.data.url));
  const byteLength = await fetchWithin(data.url ?? "", { signal: cli.signal, withinMs: eventMs }, sizeOf);
  if (byteLength !== data.size) throw new Error("the file has another size than its event says");
}

/** Sets a webhook to a receiver on this machine for the duration of the step. */
async function withReceiver(account: CheckedAccount, step: (next: NextEvent) => Promise<string>): Promise<string> {
  const { cli } = account.settings;
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
    const finding = await step((isWanted) => seen(account, () => listener.events.find(isWanted)));
    if (listener.rejected() > 0) throw new Error("a request came without the token");
    return finding;
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
