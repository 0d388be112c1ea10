import { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import { invalidPassword } from "../../../shared/contract/telegram/errors.js";
import type { Client } from "../client.js";
import { errorName } from "../errors.js";
import { waitingOutFloods } from "../flood-wait.js";
import { solvePasswordChallenge } from "./srp.js";

/**
 * Submits the two-step password, with retries after faults of the platform. Throws `invalid password`, or the platform's error (such as
 * the wait after too many tries).
 */
export async function checkPassword(client: Client, password: string, signal: Ending): Promise<Api.User> {
  const deadlineAt = performance.now() + checkMs;
  const attempt = (): Promise<Api.User> => submitOnce(client, password, Math.max(1, deadlineAt - performance.now()), signal);
  const submit = async (): Promise<Api.User> => {
    try {
      return await attempt();
    } catch (error) {
      // A challenge serves only one try, and another try may have used it up.
      if (errorName(error) === "SRP_ID_INVALID") return attempt();
      throw error;
    }
  };
  return waitingOutFloods(submit, { deadlineAt, signal, waitOutFloods: false });
}

async function submitOnce(client: Client, password: string, leftMs: number, signal: Ending): Promise<Api.User> {
  const challenge = await client.invoke(new Api.account.GetPassword(), { signal });
  const proof = await solvePasswordChallenge(challenge, password);
  try {
    const authorization = await client.invoke(new Api.auth.CheckPassword({ password: proof }), {
      signal,
      deadlineMs: leftMs,
      // A fault may have used up the challenge, so each try gets a new one.
      repeatable: false,
    });
    if (authorization instanceof Api.auth.Authorization && authorization.user instanceof Api.User) return authorization.user;
    throw new Error("the platform accepted the password but named no account");
  } catch (error) {
    if (errorName(error) === "PASSWORD_HASH_INVALID") throw invalidPassword();
    throw error;
  }
}

// Includes a short flood wait. The command's own deadline is 60 s.
const checkMs = 55_000;
