import type { CommandCall } from "../command.js";
import type { SessionReference } from "../../../shared/contract/session.js";
import type { Connector, PasswordLogin } from "../connector.js";
import type { Session } from "../session.js";

/** POST /session/password: the session is connected when this resolves. */
export async function submitPassword(
  { id, connector }: Session<Connector & PasswordLogin>,
  { password }: { readonly password: string },
  { signal }: CommandCall,
): Promise<SessionReference> {
  await connector.submitPassword(password, signal);
  return { id };
}
