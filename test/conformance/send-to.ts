import { request, type Caller } from "../harness/api.js";

export type Credentials = Record<"id" | "session-id", string>;
export type Headers = Record<string, string>;

export const credentialsOf = ({ credentials }: Caller): Credentials => ({ id: credentials.id, "session-id": credentials.sessionId });

/** Sends a request. `route` is method and path. A string body is sent unchanged, anything else as JSON. */
export async function sendTo(base: string, route: string, headers: Headers, body?: unknown): Promise<{ status: number; body: unknown }> {
  const [method = "", path = ""] = route.split(" ");
  const type: Headers = body === undefined ? {} : { "content-type": "application/json" };
  const init = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
  const response = await request(`${base}${path}`, { method, headers: { ...type, ...headers }, ...init });
  return { status: response.status, body: response.body };
}
