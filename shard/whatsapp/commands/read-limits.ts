import type { SessionLimits } from "../../../shared/contract/limits.js";
import { getLimits } from "../../session/commands/get-limits.js";
import type { Session } from "../../session/session.js";
import type { WhatsAppConnector } from "../connector.js";

/** GET /session/limits. Queries the platform first if the account is connected and the last response is not fresh. */
export async function readLimits(session: Session<WhatsAppConnector>): Promise<SessionLimits> {
  const { account, standing } = session.connector;
  if (account.client?.alive === true && session.state().kind === "connected") await standing.refresh(account.client);
  return await getLimits(session);
}
