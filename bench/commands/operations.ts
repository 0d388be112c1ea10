import { randomBytes } from "node:crypto";
import { inputContext, outputContext, type Envelope, type Reply } from "../../shared/bus/envelope.js";
import { writeEnvelope, writeReply } from "../../shared/bus/envelope-bytes.js";
import { slotOf } from "../../shared/contract/slot.js";
import { newCommandId } from "../../shared/contract/ids.js";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { KeyRing } from "../../shared/config/key-ring.js";
import { sendTimeoutMs } from "../../shared/limits.js";
import { eventually } from "../../test/harness/eventually.js";
import type { Gateway } from "../../test/harness/gateway.js";
import type { PlannedRequest } from "../load/plan.js";
import type { StoredLogin } from "../logins/stored-logins.js";

/** A kind of request under load: the request of each session, and texts of the same size for a ping-pong. */
export interface Operation {
  readonly what: string;
  readonly origin: string;
  readonly lanes: readonly (readonly PlannedRequest[])[];
  readonly command: string;
  readonly reply: string;
}

/** A session, and the phone numbers to which it sends. */
export interface Sender {
  readonly login: StoredLogin;
  readonly phones: readonly string[];
}

export const platformNames: Readonly<Record<Platform, string>> = { whatsapp: "WhatsApp", telegram: "Telegram" };
const kinds = [
  { path: "/session", name: "GET /session", body: undefined },
  { path: "/typing", name: "POST /typing", body: (phone: string) => ({ phone, type: "text" }) },
  {
    path: "/message",
    name: "POST /message",
    body: (phone: string, n: number) => ({ phone, type: "text", text: `Message ${n} of a benchmark` }),
  },
] as const;

export const operationNames = platforms.flatMap((platform) => kinds.map(({ name }) => `${name}, ${platformNames[platform]}`));

/** Returns the three requests of one platform. Sends each once to learn its response, and rejects when that is no 200. */
export async function operationsOf(gateway: Gateway, platform: Platform, senders: readonly Sender[]): Promise<Operation[]> {
  const base = new URL(gateway[platform][0] ?? "");
  // The picture arrives some time after the login, and makes records longer. Accounts without a picture never show one.
  const pictured = senders.filter(({ login }) => login.pictured);
  await eventually(
    "the picture of every account that has one",
    async () => (await Promise.all(pictured.map(async ({ login: { caller } }) => (await caller.record()).picture !== ""))).every(Boolean),
    60_000,
  );
  const operations: Operation[] = [];
  for (const { path, name, body } of kinds) {
    const lanes = senders.map(({ login: { caller }, phones }) => {
      const headers = { id: caller.credentials.id, "session-id": caller.credentials.sessionId };
      if (body === undefined) return [{ path: base.pathname + path, headers }];
      return phones.map((phone, n) => ({
        path: base.pathname + path,
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body(phone, n)),
      }));
    });
    const [first] = senders;
    if (first === undefined) throw new Error("nobody to send");
    const input = body?.(first.phones[0] ?? "", 0);
    const { caller } = first.login;
    const response = input === undefined ? await caller.get(path) : await caller.send("POST", path, input);
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${JSON.stringify(response.body)}`);
    operations.push({
      what: `${name}, ${platformNames[platform]}`,
      origin: base.origin,
      lanes,
      ...textsOf(platform, first.login, input ?? caller.credentials, response.body),
    });
  }
  return operations;
}

/** Returns texts of the same length as the product's stream entries. For GET /session, which uses no stream, as long as they would be. */
function textsOf(platform: Platform, { id: session }: StoredLogin, input: object, output: unknown): { command: string; reply: string } {
  const id = newCommandId();
  const ring = KeyRing.parse(`a:${randomBytes(32).toString("base64")}`);
  const envelope: Envelope = {
    id,
    platform,
    command: "send-message",
    session,
    slot: slotOf(session),
    replyTo: `router-1:${id.slice(0, 12)}`,
    ttl: sendTimeoutMs,
    attempt: 0,
    input: ring.sealBytes(Buffer.from(JSON.stringify(input)), inputContext(id)),
  };
  const sealedOutput = ring.sealBytes(Buffer.from(JSON.stringify(output)), outputContext({ id, session }));
  const reply: Reply = { id, session, outcome: { kind: "ok", output: sealedOutput } };
  const asLong = (bytes: Buffer): string => bytes.toString("base64url").slice(0, bytes.length);
  return { command: asLong(writeEnvelope(envelope)), reply: asLong(writeReply(reply)) };
}
