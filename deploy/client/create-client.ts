import { randomUUID } from "node:crypto";
import openApiFetch, { type Client } from "openapi-fetch";
import type { Tries } from "./next-try.js";
import { retryingFetch, type Fetch } from "./retrying-fetch.js";
import type { paths } from "./schema.js";

export interface ClientOptions {
  /** Of the gateway, without a path: `https://gateway.example.com`. */
  readonly baseUrl: string;
  /** Of a tenant or an operator; also for `POST /session`. */
  readonly apiKey?: string;
  /** As `POST /session` answers it; with an `apiKey` that may use the session, `id` alone does. */
  readonly session?: { readonly id: string; readonly sessionId?: string };
  readonly tries?: Partial<Tries>;
  /** In the place of Node's own. */
  readonly fetch?: Fetch;
}

/**
 * A client whose paths, parameters, bodies and answers are those of the gateway's document: `client.POST("/whatsapp/message", { body })` gives `{ data, error, response }`. Requests are
 * tried again where that does no harm; what creates or sends something gets an `Idempotency-Key` of its own, unless it has one, so that this is so.
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
      const isKeyed = request.method === "POST" && /^\/(whatsapp|telegram)\/(message|status|session)$/.test(schemaPath);
      if (isKeyed && !request.headers.has("idempotency-key")) request.headers.set("idempotency-key", randomUUID());
      return request;
    },
  });
  return client;
}
