import { isPlatform, platforms, type Platform } from "../../../shared/contract/platform.js";
import type { Cli, Registry } from "../cli.js";
import { usageError } from "../exit-code.js";
import { isCredentials } from "../gateway/responses.js";
import { findSession } from "../gateway/find-session.js";
import { isLoggedIn, labelledSession } from "../login/labelled-session.js";
import { LoginFlow, type LoginOptions } from "../login/login-flow.js";
import { plain } from "../output/plain.js";
import { examples } from "../examples.js";

interface Options extends LoginOptions {
  readonly session?: string;
  readonly phone?: string;
  readonly label?: string;
  readonly new?: boolean;
}

export function registerLogin({ program, run }: Registry): void {
  program
    .command("login")
    .argument("[platform]", `Platform of the new session: ${platforms.join(" or ")}`)
    .description("Log in an account with a QR code or pairing code.")
    .optionsGroup("Session:")
    .option("--session <session>", "Existing session (ID, label or unique match)")
    .option("--label <label>", "Use the session with this label, or create it")
    .option("--new", "Create a session even if another one has this label")
    .optionsGroup("Login:")
    .option("--phone <number>", "Show a pairing code for this number instead of a QR code (WhatsApp only)")
    .option("--password-file <file>", "Read the two-step password from a file (non-interactive use)")
    .option("--qr-file <file>", "Write the QR code to a PNG file instead of the terminal")
    .option("--sandbox-scan <account>", "Sandbox only: scan as this simulated account")
    .addHelpText(
      "after",
      examples("login whatsapp --label shop", "login telegram --label alice --sandbox-scan alice", "login --session shop"),
    )
    .action(run(login));
}

async function login(cli: Cli, idOrLabel: string | undefined, options: Options): Promise<void> {
  const session = await take(cli, idOrLabel, options);
  cli.screen.say(`Session ${session.id} ${session.sessionId === undefined ? "selected" : "created"} (${session.platform})`);
  if (session.sessionId !== undefined && !cli.screen.json) cli.screen.say(`Secret (shown once): ${session.sessionId}`);
  const { name, phone } = await new LoginFlow(cli, session, options).run();
  cli.screen.show(
    { ...session, name, phone, isConnected: true },
    () => `${session.id}: connected${name === "" ? "" : ` as ${plain(name)}`} (${phone})`,
  );
}

interface TakenSession {
  readonly id: string;
  readonly platform: Platform;
  /** Shown only when the session is created. */
  readonly sessionId?: string;
}

async function take(
  cli: Cli,
  platformName: string | undefined,
  { session, phone, label, new: anew = false }: Options,
): Promise<TakenSession> {
  const { client } = cli;
  if ((session === undefined) === (platformName === undefined))
    throw usageError("give a platform for a new session, or an existing session with --session");
  if (session !== undefined) {
    if (phone !== undefined || label !== undefined || anew) throw usageError("--phone, --label and --new need a platform, not --session");
    const { id, platform } = await findSession(client, session);
    return { id, platform };
  }
  if (!isPlatform(platformName)) throw usageError(`platform must be one of the following values: ${platforms.join(", ")}`);
  if (phone !== undefined && platformName !== "whatsapp") throw usageError("--phone only works with WhatsApp");
  if (label !== undefined && label !== "" && !anew) {
    const found = await labelledSession(client, platformName, label);
    // A session that waits for a QR code cannot show a pairing code.
    if (found !== undefined && (phone === undefined || isLoggedIn(found))) {
      const what = isLoggedIn(found) ? "is logged in already" : "waits for its login";
      cli.screen.say(`The session with the label ${JSON.stringify(label)} ${what}. To create another one, add --new`);
      return { id: found.id, platform: platformName };
    }
  }
  const made = await client.request(
    { method: "POST", path: `${client.address.paths[platformName]}/session`, body: { phone, label } },
    isCredentials,
  );
  return { ...made, platform: platformName };
}
