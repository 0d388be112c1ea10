import typia from "typia";
import { passwordWait } from "../../../shared/contract/telegram/errors.js";
import type { SecretMap } from "../../session/session-context.js";
import { judgeTry } from "./judge-try.js";

const fieldName = "password-tries";

/** The tries of a session's password, stored among its secrets, so that neither a crash nor a reset gives new tries. */
export class PasswordTries {
  constructor(private readonly secrets: Pick<SecretMap, "getMany" | "apply">) {}

  /**
   * Counts one more try, durably before it resolves. Throws `A wait of N seconds is required` when none is left. Must not run twice at
   * once.
   */
  async count(): Promise<void> {
    const verdict = judgeTry(await this.stored(), Date.now());
    if (verdict.kind === "refused") throw passwordWait(verdict.waitSeconds);
    await this.secrets.apply(new Map([[fieldName, Buffer.from(JSON.stringify(verdict.tries))]]));
  }

  private async stored(): Promise<number[]> {
    const [bytes] = await this.secrets.getMany([fieldName]);
    return bytes === undefined ? [] : (parseTries(bytes.toString("utf8")) ?? []);
  }
}

const parseTries = typia.json.createIsParse<number[]>();
