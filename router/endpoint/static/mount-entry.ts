import type { RoutePort } from "../mount.js";
import type { ResponseAtHand } from "../../http/handler.js";
import type { RequestHead } from "../../http/request.js";
import { json } from "../../http/response.js";

const deadlineMs = 20_000;

/**
 * Registers GET / for everybody. Browsers are redirected to the console; programs get links to the API description if `describesApi` is
 * true.
 */
export function mountEntry(app: RoutePort, describesApi: boolean): void {
  const text = JSON.stringify({
    name: "Trunkline",
    console: "/console",
    ...(describesApi ? { docs: "/docs", openapi: "/openapi.json" } : {}),
  });
  const respond = ({ headers }: Pick<RequestHead, "headers">): ResponseAtHand =>
    wantsPage(headers.get("accept") ?? [])
      ? { kind: "empty", status: 302, headers: { ...common, Location: "/console" } }
      : json(200, text, common);
  app.route("GET", "/", (request) => Promise.resolve(respond(request)), { name: "entry", deadlineMs, atHand: respond });
}

const common = { "Cache-Control": "no-store", Vary: "Accept" };

/** Browsers name `text/html`. Programs accept anything or name JSON. */
function wantsPage(accept: readonly string[]): boolean {
  return /(^|,)\s*text\/html\s*([;,]|$)/i.test(accept.join(","));
}
