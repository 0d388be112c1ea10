import type { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import { passwordNotRequired, sessionNotConnected } from "../../../shared/contract/telegram/errors.js";
import { untilAborted } from "../../../shared/flow/abort-scope.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import type { SessionState } from "../../../shared/session/state.js";
import type { Client } from "../client.js";
import { checkPassword } from "./check-password.js";
import type { PasswordTries } from "./password-tries.js";

/** Connects a login that waits for the two-step password with the calls that submit one. */
export class PasswordPrompt {
  private waiting: { readonly client: Client; readonly signal: Ending; readonly accept: (user: Api.User) => void } | undefined;
  private readonly submitting = new SerialQueue();

  constructor(
    private readonly state: () => SessionState,
    private readonly tries: Pick<PasswordTries, "count">,
  ) {}

  /**
   * Accepts passwords and then runs `announce`. Resolves with the account of the first accepted password; rejects with the signal's
   * reason.
   */
  async wait(client: Client, announce: () => Promise<unknown>, signal: Ending): Promise<Api.User> {
    const accepted = new Promise<Api.User>((accept) => {
      this.waiting = { client, signal, accept };
    });
    try {
      await untilAborted(announce(), signal);
      return await untilAborted(accepted, signal);
    } finally {
      this.waiting = undefined;
    }
  }

  /**
   * Checks a password; `enter` stores the login before this resolves. Tries run one after another, because a challenge serves one try.
   * Throws `password is not required`, `invalid password`, `session not connected`, or the platform's error.
   */
  submit(password: string, enter: (client: Client, user: Api.User, connection: Ending) => Promise<void>, signal: Ending): Promise<void> {
    return this.submitting.run(async () => {
      signal.throwIfAborted();
      if (this.state().kind !== "awaiting-password") throw passwordNotRequired();
      const { waiting } = this;
      if (waiting === undefined) throw sessionNotConnected();
      // Counted before the try, so that a process that is killed during it does not give the try back.
      await this.tries.count();
      const user = await checkPassword(waiting.client, password, signal);
      await enter(waiting.client, user, waiting.signal);
      waiting.accept(user);
    });
  }
}
