import { signalOf } from "../../shared/flow/abort-scope.js";
import { toHttpInput } from "../endpoint/http-input.js";
import { singleHeader, type HttpRequest } from "../http/request.js";
import type { EventFeed } from "./live-events/event-feed.js";
import { isPosition } from "./live-events/stored-events.js";
import { parseQuery } from "./admin-input.js";
import type { AdminHandler } from "./admin-handler.js";
import { notEventId } from "../http/errors.js";

/** GET /admin/events: streams the events that the caller may see, from the one after `Last-Event-ID` if that is still kept. */
export function streamEvents(feed: Pick<EventFeed, "open">): AdminHandler {
  return async (request, signal, principal) => {
    parseQuery(await toHttpInput(request), []);
    return { kind: "open-ended", status: 200, headers, body: await feed.open(principal, positionIn(request), signalOf(signal)) };
  };
}

export function positionIn(request: Pick<HttpRequest, "headers">): string | undefined {
  if (!request.headers.has("last-event-id")) return undefined;
  const named = singleHeader(request, "last-event-id") ?? "";
  if (!isPosition(named)) throw notEventId();
  return named;
}

/** `X-Accel-Buffering` stops proxies from buffering the stream. */
const headers = { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store", "X-Accel-Buffering": "no" };
