import typia from "typia";
import { passwordWait } from "../../../shared/contract/telegram/errors.js";
import type { SecretMap } from "../../session/session-context.js";
import { judgeTry } from "./judge-try.js";

const fieldName = "password-tries";

/** The tries of a session's password, kept among its secrets: neither a killed owner nor a reset gives new ones. */
export class PasswordTries {
  constructor(private readonly secrets: Pick<SecretMap, "getMany" | "apply">) {}

  /** Counts one more, durably before it resolves; throws `A wait of N seconds is required` when there is none left. Not to be called twice at once. */
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
