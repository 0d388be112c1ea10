import type { Log } from "../../shared/log/logger.js";
import { toHttpInput } from "../endpoint/http-input.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpAnswer } from "../http/response.js";
import type { Principal } from "../tenant/principal.js";
import { parseQuery } from "./admin-input.js";
import { asked } from "./asked.js";
import { ndjson } from "./ndjson.js";
import type { Page } from "./page.js";
import type { SessionDirectory } from "./session-directory.js";
import { parseCursor, type SessionCursor } from "./session-cursor.js";
import { filterNames, parseFilter, visibleTo } from "./session-filter.js";
import type { SessionRow } from "./session-row.js";
import { invalidApiKey } from "../http/errors.js";

export interface SessionStreamParts {
  readonly directory: Pick<SessionDirectory, "page">;
  /** The caller's key still stands for it: an answer may last longer than that. */
  readonly stands: (principal: Principal) => boolean;
  readonly log: Log;
}

/** Rows of one look, some 150 KB: what a client that reads slowly makes this process hold. */
const rowsAtOnce = 500;

/** GET /admin/sessions as lines: all sessions that fit, in the order of the pages; `after` (slot, point, id of a line) goes on behind one. */
export async function streamSessions(
  { directory, stands, log }: SessionStreamParts,
  request: HttpRequest,
  signal: AbortSignal,
  principal: Principal,
): Promise<HttpAnswer> {
  const query = parseQuery(await toHttpInput(request), ["after", ...filterNames]);
  const visible = visibleTo(principal, parseFilter(query));
  const page = async (from: SessionCursor): Promise<Page<SessionRow>> =>
    visible === undefined ? { docs: [], next: "" } : await asked(directory.page(visible, from, rowsAtOnce, signal));
  // In hand before the status line, so that what fails at once has a status of its own.
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
