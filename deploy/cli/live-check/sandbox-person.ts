import typia from "typia";
import type { PasskeyCredential, PasskeyOptions } from "../../../shared/contract/passkey.js";
import type { Platform } from "../../../shared/contract/platform.js";
import type { Cli } from "../cli.js";
import { CliError, usageError } from "../exit-code.js";
import { fetchWithin } from "../gateway/fetch-within.js";
import type { Person, PhoneAction } from "./person.js";

/** Plays the person with a sandbox account: agrees to everything and performs the phone actions. */
export class SandboxPerson implements Person {
  private readonly sandbox: string;

  constructor(
    private readonly cli: Cli,
    private readonly account: string,
  ) {
    const { sandbox } = cli.client.address;
    if (sandbox === undefined) throw usageError("--sandbox: this gateway does not run on the sandbox");
    this.sandbox = sandbox;
  }

  agrees(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async does(platform: Platform, action: PhoneAction): Promise<void> {
    if (action === "send-a-photo") await this.control("/people/send", { platform, account: this.account, media: "photo" });
    // On Telegram's sandbox the list of close friends is empty by default, so nothing has to be done.
    else if (platform === "whatsapp")
      await this.control("/phone/settings", {
        platform,
        account: this.account,
        statusPrivacy: "whitelist",
        users: ["6281155501002"],
      });
  }

  /** Signs the challenge like a browser that has the account's passkey. */
  readonly approvePasskey = async (options: PasskeyOptions): Promise<PasskeyCredential> => {
    const given = parseCredential(await this.control("/phone/passkey", { platform: "whatsapp", account: this.account, options }));
    if (given === null) throw new CliError("the sandbox answers a passkey's challenge otherwise than this command line knows");
    return given.credential;
  };

  /** Resolves with the text of the response. */
  private control(path: string, body: object): Promise<string> {
    const request = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: this.cli.signal,
      withinMs: 30_000,
    };
    return fetchWithin(`${this.sandbox}${path}`, request, async (response) => {
      if (!response.ok) throw new CliError(`the sandbox answers ${path} with ${response.status}`);
      return await response.text();
    });
  }
}

const parseCredential = typia.json.createIsParse<{ credential: PasskeyCredential }>();
