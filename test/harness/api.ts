import type { SessionCredentials, SessionRecord } from "../../shared/contract/session.js";
import type { Platform } from "../../shared/contract/platform.js";
import { eventually } from "./eventually.js";
import type { Gateway } from "./gateway.js";

/** Addresses and key that a caller needs of a running gateway. */
export type Reachable = Pick<Gateway, Platform | "sandbox" | "adminKey">;

export interface ApiResponse {
  status: number;
  headers: Headers;
  /** Parsed JSON; the text itself when it is not JSON. */
  body: unknown;
}

/** One caller of the gateway, which also controls the sandbox's phone. */
export class Caller {
  constructor(
    readonly gateway: Reachable,
    readonly credentials: SessionCredentials,
    private readonly router = 0,
    private readonly platform: Platform = "telegram",
  ) {}

  /** Returns a caller for the same session through another router. */
  through(router: number): Caller {
    return new Caller(this.gateway, this.credentials, router, this.platform);
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return request(`${this.base}${path}`, { headers: { ...this.headers, ...headers } });
  }

  send(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown, more: Record<string, string> = {}): Promise<ApiResponse> {
    const headers = { ...this.headers, ...more, ...(body === undefined ? {} : { "content-type": "application/json" }) };
    return request(`${this.base}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  }

  /** `R` is the platform's own record. */
  async record<R extends SessionRecord = SessionRecord>(): Promise<R> {
    const response = await this.get("/session");
    if (response.status !== 200) throw new Error(`GET /session: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body as R;
  }

  /**
   * Waits for the next QR code and scans it with the account's phone. If the code has expired, for example because its slot moved, waits
   * for another code.
   */
  async scan(account: string): Promise<ApiResponse> {
    let expired: unknown;
    return eventually("a qrcode that has not expired", async () => {
      const { qrcode } = await this.record();
      if (qrcode === "" || qrcode === expired) return undefined;
      const scanned = await this.phone("/phone/scan", { platform: this.platform, account, qrcode });
      if (scanned.status === 410) expired = qrcode;
      return scanned.status === 410 ? undefined : scanned;
    });
  }

  phone(path: string, body: unknown): Promise<ApiResponse> {
    return request(`${this.gateway.sandbox}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  private get base(): string {
    return this.gateway[this.platform][this.router] ?? "";
  }

  private get headers(): Record<string, string> {
    return { id: this.credentials.id, "session-id": this.credentials.sessionId };
  }
}

/** Longer than the 240 s that a message may take, and shorter than a test's limit, so that the error names the request. */
const responseTimeoutMs = 250_000;

export async function request(url: string, init: RequestInit = {}): Promise<ApiResponse> {
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(responseTimeoutMs) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  } catch (error) {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    // The socket's reason, such as ECONNREFUSED, stays in the cause, as with `fetch`.
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new Error(`no response after ${seconds} s: ${init.method ?? "GET"} ${url}`, { cause });
  }
}

/** `body` holds options of variant A, such as a pairing code. */
export async function createSession(gateway: Reachable, platform: Platform = "telegram", body?: unknown): Promise<Caller> {
  const headers: Record<string, string> = {
    "x-api-key": gateway.adminKey,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const response = await request(`${gateway[platform][0] ?? ""}/session`, {
    method: "POST",
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status !== 201) throw new Error(`POST /session: ${response.status} ${JSON.stringify(response.body)}`);
  return new Caller(gateway, response.body as SessionCredentials, 0, platform);
}

/** Creates a session and logs it in to an account without a password. */
export async function loggedIn(gateway: Reachable, account: string, platform: Platform = "telegram"): Promise<Caller> {
  const caller = await createSession(gateway, platform);
  const scanned = await caller.scan(account);
  if (scanned.status !== 200) throw new Error(`scan: ${scanned.status} ${JSON.stringify(scanned.body)}`);
  await eventually(`${account} connected`, async () => (await caller.record()).isConnected);
  return caller;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
