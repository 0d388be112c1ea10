import { isSessionId } from "../../../shared/contract/ids.js";
import { CliError, exitCodes, usageError } from "../exit-code.js";
import { plain } from "../output/plain.js";
import { isSession, isSessionPage, type SessionRow } from "./responses.js";
import type { GatewayClient } from "./gateway-client.js";
import { everyRow } from "./pages.js";

/** Most matching sessions that are read and listed. */
const candidatesMax = 5;

/** Returns the session with this id, or the only one that matches the word (label, start of the id, phone number or username). */
export async function findSession(client: GatewayClient, idOrLabel: string): Promise<SessionRow> {
  if (isSessionId(idOrLabel)) return await client.request({ path: `/admin/sessions/${idOrLabel}` }, isSession);
  const by = async (query: Record<string, string>): Promise<SessionRow[]> =>
    await everyRow(client, { path: "/admin/sessions", query }, isSessionPage, { most: candidatesMax });
  const labelled = await by({ label: idOrLabel });
  return only(idOrLabel, labelled.length > 0 ? labelled : await by({ q: idOrLabel }));
}

export function only(idOrLabel: string, found: readonly SessionRow[]): SessionRow {
  const [session, other] = found;
  if (session === undefined) throw new CliError(`no session matches ${JSON.stringify(idOrLabel)}`, exitCodes.notFound);
  if (other === undefined) return session;
  const named = found.map(({ id, platform, name }) => `${id} (${platform} ${plain(name)})`);
  throw usageError(`${JSON.stringify(idOrLabel)} matches several sessions; give the id of one: ${named.join(", ")}`);
}
