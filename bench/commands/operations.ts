import type { Platform } from "../../shared/contract/platform.js";
import { eventually } from "../../test/harness/eventually.js";
import type { Gateway } from "../../test/harness/gateway.js";
import type { PlannedRequest } from "../load/plan.js";
import type { StoredLogin } from "../logins/stored-logins.js";

/** A kind of request under load: the request of each session. */
export interface Operation {
  readonly what: string;
  readonly origin: string;
  readonly lanes: readonly (readonly PlannedRequest[])[];
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

/** Returns the three requests of one platform. Sends the first of each once, and rejects when the response is no 200. */
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
    operations.push({ what: `${name}, ${platformNames[platform]}`, origin: base.origin, lanes });
  }
  return operations;
}
