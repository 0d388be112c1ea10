import type { Log } from "../../shared/log/logger.js";
import { toHttpInput } from "../endpoint/http-input.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import type { Principal } from "../tenant/principal.js";
import { parseQuery } from "./admin-input.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";
import { ndjson } from "./ndjson.js";
import type { Page } from "./page.js";
import type { SessionDirectory } from "./session-directory.js";
import { parseCursor, type SessionCursor } from "./session-cursor.js";
import { filterNames, parseFilter, visibleTo } from "./session-filter.js";
import type { SessionRow } from "./session-row.js";
import { invalidApiKey } from "../http/errors.js";

export interface SessionStreamParts {
  readonly directory: Pick<SessionDirectory, "page">;
  /** Returns whether the caller's key is still valid, because a stream may outlast it. */
  readonly stands: (principal: Principal) => boolean;
  readonly log: Log;
}

/** Rows per step, about 150 KB: the most that a slow client makes this process hold. */
const rowsAtOnce = 500;

/**
 * GET /admin/sessions as lines: all matching sessions in the order of the pages. `after` (`slot.id` of a line) continues after that line.
 */
export async function streamSessions(
  { directory, stands, log }: SessionStreamParts,
  request: HttpRequest,
  signal: AbortSignal,
  principal: Principal,
): Promise<HttpResponse> {
  const query = parseQuery(await toHttpInput(request), ["after", ...filterNames]);
  const visible = visibleTo(principal, parseFilter(query));
  const page = async (from: SessionCursor): Promise<Page<SessionRow>> =>
    visible === undefined ? { docs: [], next: "" } : await orStorageUnavailable(directory.page(visible, from, rowsAtOnce, signal));
  // The first page is read before the status line, so that an early failure has its own status.
  const first = await page(parseCursor(query.after ?? ""));
  async function* rows(): AsyncGenerator<readonly SessionRow[], void, undefined> {
    let { docs, next } = first;
    yield docs;
    while (next !== "") {
      if (!stands(principal)) throw invalidApiKey();
      ({ docs, next } = await page(parseCursor(next)));
      yield docs;
    }
  }
  return ndjson(rows(), request, log);
}
