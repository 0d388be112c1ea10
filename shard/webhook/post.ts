import { createHmac } from "node:crypto";
import { Agent, buildConnector, request, type Dispatcher } from "undici";
import type { WebhookSettings } from "../../shared/contract/session.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import type { SpanPlan, Tracing } from "../../shared/process/trace/tracing.js";
import { portOf } from "../files/download/url-port.js";
import type { AttemptResult, AttemptOutcome } from "./attempt-result.js";
import { parseRetryAfter } from "./retry-delay.js";
import { type TargetGuard, TargetRefused } from "./target-guard.js";
import type { WebhookTiming } from "./timing.js";
import { traceHeaders, traceOf, type TracedEvent } from "./trace-headers.js";

/** A response is read only so that its connection can be used again. Nothing of its body is kept, and no caller sees it. */
const responseMaxBytes = 16 * 1024;
/** An idle connection is closed after this time. If a server states another time, that counts, up to `keepAliveMaxMs`. */
const keepAliveMs = 4_000;
/** Less than an attempt takes: after an attempt timed out on a forgotten connection, only new ones are left. */
const keepAliveMaxMs = 9_000;

export interface PostedEvent extends TracedEvent {
  readonly body: Buffer;
}

/**
 * Sends webhook requests. Keeps connections for a moment, at most as many to one origin as may be in flight there. Follows no redirect and
 * uses no proxy.
 */
export class Post {
  private readonly agent: Agent;

  constructor(
    private readonly guard: TargetGuard,
    private readonly timing: WebhookTiming,
    /** Makes a span of each attempt. */
    private readonly tracing?: Tracing | undefined,
  ) {
    this.agent = new Agent({
      connect: (options, callback) => void this.connect(options, callback),
      connections: 10,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMaxMs,
      maxHeaderSize: responseMaxBytes,
      // The attempt's own deadline ends every wait.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Makes one attempt. Never rejects; `signal` aborts it. */
  async send(settings: WebhookSettings, event: PostedEvent, signal: AbortSignal): Promise<AttemptResult> {
    if (this.tracing === undefined) return await this.request(settings, event, traceHeaders(event), signal);
    const span = this.tracing.start(spanOf(event));
    const headers = { ...traceHeaders(event), traceparent: span.traceparent };
    const result = await span.run(() => this.request(settings, event, headers, signal));
    span.set({ "gateway.outcome": result.outcome, ...(result.status === undefined ? {} : { "http.response.status_code": result.status }) });
    span.end(result.outcome !== "delivered");
    return result;
  }

  private async request(
    { url, token }: WebhookSettings,
    event: PostedEvent,
    trace: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const scope = new AbortScope([signal], this.timing.attemptMs);
    try {
      const target = new URL(url);
      const response = await request(target, {
        dispatcher: this.agent,
        method: "POST",
        headers: { ...headersOf(target, token, event), ...trace },
        body: event.body,
        signal: scope.signal,
      });
      const outcome = outcomeOf(response.statusCode);
      await drain(response.body, this.timing.responseMs, scope.signal);
      const retryAfterMs = parseRetryAfter(response.headers["retry-after"]);
      return { outcome, status: response.statusCode, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    } catch (error) {
      return { outcome: signal.aborted ? "ended" : scope.signal.aborted ? "timeout" : failureOf(error) };
    } finally {
      scope.close();
    }
  }

  async stop(): Promise<void> {
    await this.agent.destroy();
  }

  /** Checks each new connection and connects to exactly the checked addresses, so that a name cannot resolve differently in between. */
  private async connect(options: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
    try {
      const addresses = await this.guard.addresses(options.hostname, portOf(options));
      const [first] = addresses;
      const open = buildConnector({
        timeout: this.timing.attemptMs,
        allowH2: false,
        maxCachedSessions: 0,
        lookup: (_host, { all }, found) =>
          all === true || first === undefined ? found(null, addresses) : found(null, first.address, first.family),
      });
      open(options, callback);
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null);
    }
  }
}

/** Standard Webhooks: the signature covers the id, the second of this attempt and the exact bytes of the body. */
export function headersOf(
  url: URL,
  token: string,
  { id, body }: { readonly id: string; readonly body: Buffer },
  now = Date.now(),
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signature = createHmac("sha256", token).update(`${id}.${timestamp}.`).update(body).digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "Trunkline",
    "x-token": token,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
    ...(url.username === "" && url.password === "" ? {} : { authorization: basic(url) }),
  };
}

/** Returns name and password of the URL, as every HTTP client sends them. */
function basic({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}`;
}

function outcomeOf(status: number): AttemptOutcome {
  if (status < 300) return "delivered";
  if (status < 400) return "redirect";
  return status < 500 ? "client-error" : "server-error";
}

/** Reads a short response body. A longer or slower one ends the connection. Never rejects: the status line is enough. */
async function drain(body: Dispatcher.ResponseData["body"], responseMs: number, signal: AbortSignal): Promise<void> {
  body.on("error", () => undefined);
  const scope = new AbortScope([signal], responseMs);
  const cut = (): void => void body.destroy();
  scope.addEventListener("abort", cut);
  if (scope.aborted) cut();
  let bytes = 0;
  try {
    for await (const part of body) {
      bytes += (part as Buffer).length;
      if (bytes > responseMaxBytes) break;
    }
  } catch {
    // Aborted by the receiver or by us.
  } finally {
    scope.close();
    body.destroy();
  }
}

function failureOf(error: unknown): AttemptOutcome {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TargetRefused) return "blocked";
    const code = "code" in cause ? String(cause.code) : "";
    if (/^(ERR_(SSL|TLS)|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return "tls";
  }
  return "network";
}

/** All attempts at an event are one trace, because the platform in between passes on no trace. */
function spanOf(event: TracedEvent): SpanPlan {
  const attributes = { "http.request.method": "POST" };
  return { name: "deliver webhook", kind: "client", attributes, under: { traceparent: undefined, traceId: traceOf(event) } };
}
