import { Api } from "telegram";
import type { Ending } from "../../shared/flow/ending.js";
import type { Account, SessionState } from "../../shared/session/state.js";
import type { ConnectorContext } from "../session/session-context.js";
import type { Client } from "./client.js";
import { toAccount } from "./convert.js";
import { type PictureCache, picturesDeadlineAt, previewPicture, readPicture } from "./media/pictures.js";

/**
 * Returns the picture to show until the current one is fetched: the previous one, so that it does not flicker on reconnects, else the
 * preview.
 */
export function ownPictureSoFar(state: SessionState, user: Api.User): string {
  if (!(user.photo instanceof Api.UserProfilePhoto)) return "";
  const before = "account" in state && state.account.generatedId === user.id.toString() ? state.account.picture : "";
  return before || previewPicture({ peer: new Api.InputPeerSelf(), photo: user.photo });
}

/** No caller waits for this picture, so retries may be slow. Without it the record shows none until the next connection. */
const retryMs = 5 * 60_000;

/** Fetches the account's small photo and stores it in the record. Rejects when the connection is lost. */
export async function refreshOwnPicture(
  client: Client,
  cache: PictureCache,
  context: ConnectorContext,
  user: Api.User,
  signal: Ending,
): Promise<void> {
  const source = { peer: new Api.InputPeerSelf(), photo: user.photo };
  const picture = await readPicture(client, cache, source, signal, performance.now() + retryMs);
  const state = context.state();
  if (!("account" in state) || state.account.picture === picture) return;
  await show(context, { ...state.account, picture });
}

/** Stores the account's current names and picture in the record. Rejects when the connection is lost. */
export async function refreshOwnAccount(client: Client, cache: PictureCache, context: ConnectorContext, signal: Ending): Promise<void> {
  const [user] = await client.invoke(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }), { signal });
  if (!(user instanceof Api.User)) return;
  const source = { peer: new Api.InputPeerSelf(), photo: user.photo };
  const picture = await readPicture(client, cache, source, signal, picturesDeadlineAt());
  if ("account" in context.state()) await show(context, toAccount(user, picture));
}

/** A picture that is missing must not close a working connection. The next connection fetches it again. */
async function show(context: ConnectorContext, account: Account): Promise<void> {
  try {
    await context.dispatch({ type: "account-changed", account });
  } catch (error) {
    context.log.debug({ err: error }, "picture not stored");
  }
}
