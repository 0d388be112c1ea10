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
    const common = { platform, account: this.account };
    switch (action) {
      case "send-a-photo":
        await this.control("/people/send", { ...common, media: platform === "whatsapp" ? "image" : "photo" });
        return;
      case "write-edit-delete": {
        const sent = parseSent(await this.control("/people/send", { ...common, text: "live check" }));
        if (sent === null) throw new CliError("the sandbox names no message that it sent");
        const { messageId } = sent;
        await this.control("/people/edit", { ...common, messageId, text: "live check, edited" });
        await this.control("/people/delete", { ...common, messageId });
        return;
      }
      case "one-person-audience":
        // On Telegram's sandbox the list of close friends is empty by default, so nothing has to be done.
        if (platform === "whatsapp")
          await this.control("/phone/settings", { ...common, statusPrivacy: "whitelist", users: ["6281155501002"] });
        return;
      default:
        action satisfies never;
    }
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

const parseSent = typia.json.createIsParse<{ messageId: string }>();
const parseCredential = typia.json.createIsParse<{ credential: PasskeyCredential }>();
