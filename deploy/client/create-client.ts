import { randomUUID } from "node:crypto";
import openApiFetch, { type Client } from "openapi-fetch";
import type { Tries } from "./next-try.js";
import { retryingFetch, type Fetch } from "./retrying-fetch.js";
import type { paths } from "./schema.js";

export interface ClientOptions {
  /** URL of the gateway without a path: `https://gateway.example.com`. */
  readonly baseUrl: string;
  /** API key of a tenant or an operator; `POST /session` accepts it as well. */
  readonly apiKey?: string;
  /** Credentials from the response of `POST /session`. With an `apiKey` that may use the session, `id` alone suffices. */
  readonly session?: { readonly id: string; readonly sessionId?: string };
  readonly tries?: Partial<Tries>;
  /** Replaces Node's own `fetch`. */
  readonly fetch?: Fetch;
}

/**
 * Returns a typed client for the gateway's API: `client.POST("/whatsapp/message", { body })` returns `{ data, error, response }`. Requests
 * that create or send something get an `Idempotency-Key`, so retries are safe.
 */
export function createClient({ baseUrl, apiKey, session, tries, fetch }: ClientOptions): Client<paths> {
  const headers = {
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
    ...(session === undefined ? {} : { id: session.id }),
    ...(session?.sessionId === undefined ? {} : { "session-id": session.sessionId }),
  };
  const client = openApiFetch<paths>({ baseUrl, headers, fetch: retryingFetch(tries, fetch) });
  client.use({
    onRequest({ request, schemaPath }) {
      const isKeyed =
        (request.method === "POST" && /^\/(whatsapp|telegram)\/(message|status|session)$/.test(schemaPath)) ||
        /^\/(whatsapp|telegram)\/message\//.test(schemaPath) ||
        (request.method !== "GET" && /^\/(whatsapp|telegram)\/group(\/|$)/.test(schemaPath));
      if (isKeyed && !request.headers.has("idempotency-key")) request.headers.set("idempotency-key", randomUUID());
      return request;
    },
  });
  return client;
}
