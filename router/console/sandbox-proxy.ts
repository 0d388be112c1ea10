import { signalOf } from "../../shared/flow/abort-scope.js";
import { serverBusy } from "../../shared/contract/errors.js";
import { fetchUnredirected } from "../../shared/flow/fetch-unredirected.js";
import { sandboxResponseTooLong, sandboxDidNotRespond } from "../http/errors.js";
import { readJson } from "../endpoint/json-body.js";
import type { RoutePort } from "../endpoint/mount.js";
import type { HttpHandler, RoutePath } from "../http/handler.js";
import type { HttpMethod, HttpRequest } from "../http/request.js";
import { json, jsonError } from "../http/response.js";
import { mountCall, type CallParts } from "./mount-call.js";

/**
 * A call of the sandbox's control API that the console may make: reading its people, and scanning a code with a phone. No other part of
 * that API is reachable.
 */
interface Passed {
  readonly method: Extract<HttpMethod, "GET" | "POST">;
  readonly path: RoutePath;
  readonly target: string;
  /** Fields of the body that are passed on. */
  readonly fields: readonly string[];
}

const passed: readonly Passed[] = [
  { method: "GET", path: "/accounts", target: "/accounts", fields: [] },
  { method: "POST", path: "/scan", target: "/phone/scan", fields: ["platform", "account", "qrcode"] },
  { method: "POST", path: "/code", target: "/phone/code", fields: ["platform", "account", "code"] },
];

/** A scan on the sandbox takes a moment: its phone signs what the client showed. */
const workMs = 30_000;
/** A world of thousands of accounts is for load tests, not for a list to choose from. */
const responseMaxBytes = 1024 * 1024;

export function mountSandboxProxy(app: RoutePort, path: RoutePath, sandbox: string, parts: CallParts): void {
  for (const call of passed)
    mountCall(
      app,
      {
        method: call.method,
        path: `${path}${call.path}`,
        name: `sandbox ${call.path.slice(1)}`,
        action: "create-session",
        deadlineMs: workMs,
        handle: (request, signal) => passOn(call, sandbox, request, signalOf(signal)),
      },
      parts,
    );
}

async function passOn(
  { method, target, fields }: Passed,
  sandbox: string,
  request: HttpRequest,
  signal: AbortSignal,
): ReturnType<HttpHandler> {
  const given = new Map(Object.entries(await readJson(request)));
  const body = JSON.stringify(Object.fromEntries(fields.map((field) => [field, given.get(field)])));
  const response = await fetchUnredirected(sandbox + target, {
    method,
    signal,
    ...(method === "POST" ? { headers: { "content-type": "application/json" }, body } : {}),
  }).catch((error: unknown) => {
    throw serverBusy(error);
  });
  const text = await textOf(response);
  return response.ok ? json(200, text) : jsonError(response.status, sentenceIn(text));
}

/** Its whole body, as far as it is one for a list. */
async function textOf(response: Response): Promise<string> {
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  if (length <= responseMaxBytes) return await response.text();
  await response.body?.cancel();
  throw sandboxResponseTooLong();
}

/** Its errors have the shape of ours. */
function sentenceIn(text: string): string {
  const { message }: { message?: unknown } = Object(parsed(text)) as object;
  if (typeof message !== "string") throw sandboxDidNotRespond();
  return message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw sandboxDidNotRespond(error);
  }
}
