import { type CommandCall } from "../../../shared/contract/commands.js";
import { type PasswordInput, type SessionReference } from "../../../shared/contract/telegram/session.js";
import { type TelegramSession } from "../session.js";

/** POST /session: the host has made the record and runs the session; its first QR code follows within seconds. */
export async function createSession(session: TelegramSession): Promise<SessionReference> {
  return { id: session.id };
}

/** POST /session/password: when it answers, the session is connected. */
export async function submitPassword(session: TelegramSession, { password }: PasswordInput, { signal }: CommandCall): Promise<SessionReference> {
  await session.submitPassword(password, signal);
  return { id: session.id };
}

/** POST /session/reset: logs out and prepares a new QR code at once. */
export async function resetSession(session: TelegramSession): Promise<SessionReference> {
  await session.reset();
  return { id: session.id };
}

/** DELETE /session: logs out and forgets everything. */
export async function deleteSession(session: TelegramSession): Promise<SessionReference> {
  await session.delete();
  return { id: session.id };
}
