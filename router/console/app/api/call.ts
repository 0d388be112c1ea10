import { signal } from "@preact/signals";
import { currentKey, keyRefused } from "../sign-in/key.js";
import { ApiFailure, failureOf } from "./failure.js";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface CallOptions {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Empty and absent values are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/** Start times of the calls in flight. */
export const waitingCalls = signal<readonly number[]>([]);
/** True if the last call got no response, so the gateway or the network is down. */
export const unreachable = signal(false);

/**
 * Calls the API with the current key. Resolves with the response body or rejects with an `ApiFailure`. `T`: type of the body by the
 * contract.
 */
export async function call<T>(route: `${Method} /${string}`, options: CallOptions = {}): Promise<T> {
  const answer = await send(route, options);
  if (!answer.ok) throw await refusedBy(answer);
  return JSON.parse(await answer.text()) as T;
}

/** Calls the API and returns the response before its body is read. */
export async function open(route: `${Method} /${string}`, options: CallOptions = {}): Promise<Response> {
  const answer = await send(route, options);
  if (!answer.ok) throw await refusedBy(answer);
  return answer;
}

async function send(route: string, { body, headers = {}, query = {}, signal: ends }: CallOptions): Promise<Response> {
  const [method = "", path = ""] = route.split(" ");
  const key = currentKey();
  const beganAt = performance.now();
  waitingCalls.value = [...waitingCalls.value, beganAt];
  try {
    const answer = await fetch(path + queryText(query), {
      method,
      headers: {
        ...(key === "" ? {} : { "x-api-key": key }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(ends === undefined ? {} : { signal: ends }),
      // The API key alone authenticates.
      credentials: "omit",
      cache: "no-store",
    });
    unreachable.value = false;
    return answer;
  } catch (error) {
    if (ends?.aborted === true) throw error;
    unreachable.value = true;
    throw new ApiFailure(0, "Can't reach the gateway.");
  } finally {
    const at = waitingCalls.value.indexOf(beganAt);
    waitingCalls.value = waitingCalls.value.filter((_, index) => index !== at);
  }
}

async function refusedBy(answer: Response): Promise<ApiFailure> {
  const { status, headers } = answer;
  if (status === 401) keyRefused();
  return failureOf(status, await answer.text(), headers.get("retry-after"), headers.get("x-request-id"));
}

function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, String(value)]]));
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}
