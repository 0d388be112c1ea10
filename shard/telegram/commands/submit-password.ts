import type { CommandCall } from "../../../shared/contract/commands.js";
import type { PasswordInput, SessionReference } from "../../../shared/contract/telegram/session.js";
import type { TelegramSession } from "../session.js";

/** POST /session/password: when it answers, the session is connected. */
export async function submitPassword(
  session: TelegramSession,
  { password }: PasswordInput,
  { signal }: CommandCall,
): Promise<SessionReference> {
  await session.submitPassword(password, signal);
  return { id: session.id };
}
