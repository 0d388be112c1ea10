import { Api } from "telegram";
import type { SessionState } from "../../shared/session/state.js";
import type { ConnectorContext } from "../session/session-context.js";
import type { Client } from "./client.js";
import { type PictureCache, previewPicture, readPicture } from "./media/pictures.js";

/** The account's picture until the current one has come: the former one, so that a reconnect does not make it flicker, else its preview. */
export function ownPictureSoFar(state: SessionState, user: Api.User): string {
  if (!(user.photo instanceof Api.UserProfilePhoto)) return "";
  const before = "account" in state && state.account.generatedId === user.id.toString() ? state.account.picture : "";
  return before || previewPicture({ peer: new Api.InputPeerSelf(), photo: user.photo });
}

/** Nobody waits for the account's own picture, and without it the record shows none until the next connection. */
const retryMs = 5 * 60_000;

/** Fetches the account's small photo and shows it in the record. Rejects when the connection is gone. */
export async function refreshOwnPicture(
  client: Client,
  cache: PictureCache,
  context: ConnectorContext,
  user: Api.User,
  signal: AbortSignal,
): Promise<void> {
  const source = { peer: new Api.InputPeerSelf(), photo: user.photo };
  const picture = await readPicture(client, cache, source, signal, performance.now() + retryMs);
  const state = context.state();
  if (!("account" in state) || state.account.picture === picture) return;
  try {
    await context.dispatch({ type: "account-changed", account: { ...state.account, picture } });
  } catch (error) {
    // A picture is no reason to close a good connection; the next one shows it.
    context.log.debug({ err: error }, "picture not stored");
  }
}
