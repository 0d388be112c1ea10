import type { ConnectorContext } from "../session/session-context.js";
import type { Client } from "./client.js";
import { toAccount } from "./convert.js";
import { readOwnPicture } from "./own-picture.js";

/**
 * Keeps the account's name and picture in the session's record current. A failure does not close the connection; the next login updates
 * them.
 */
export class ShownAccount {
  constructor(private readonly context: ConnectorContext) {}

  showName(client: Client): void {
    const state = this.context.state();
    if (state.kind !== "connected") return;
    const account = toAccount(client.me, state);
    if (account.name === state.account.name && account.generatedId === state.account.generatedId) return;
    this.publish(account);
  }

  async showPicture(client: Client, signal: AbortSignal): Promise<void> {
    const picture = await readOwnPicture(client, signal).catch((error: unknown) => {
      this.context.log.debug({ err: error }, "picture not read");
      return undefined;
    });
    const state = this.context.state();
    if (picture === undefined || signal.aborted || state.kind !== "connected" || state.account.picture === picture) return;
    this.publish({ ...state.account, picture });
  }

  private publish(account: ReturnType<typeof toAccount>): void {
    this.context
      .dispatch({ type: "account-changed", account })
      .catch((error: unknown) => this.context.log.debug({ err: error }, "account not stored"));
  }
}
