import { isPlatform, platforms, type Platform } from "../../../shared/contract/platform.js";
import type { Cli, Registry } from "../cli.js";
import { usageError } from "../exit-code.js";
import { isCredentials } from "../gateway/responses.js";
import { findSession } from "../gateway/find-session.js";
import { LoginFlow, type LoginOptions } from "../login/login-flow.js";
import { plain } from "../output/plain.js";
import { examples } from "../examples.js";

interface Options extends LoginOptions {
  readonly session?: string;
  readonly phone?: string;
  readonly label?: string;
}

export function registerLogin({ program, run }: Registry): void {
  program
    .command("login")
    .argument("[platform]", `Platform of the new session: ${platforms.join(" or ")}`)
    .description("Log in an account with a QR code or pairing code.")
    .optionsGroup("Session:")
    .option("--session <session>", "Existing session (ID, label or unique match)")
    .option("--label <label>", "Label for the new session")
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

async function take({ client }: Cli, idOrLabel: string | undefined, { session, phone, label }: Options): Promise<TakenSession> {
  if ((session === undefined) === (idOrLabel === undefined))
    throw usageError("give a platform for a new session, or an existing session with --session");
  if (session !== undefined) {
    if (phone !== undefined || label !== undefined) throw usageError("--phone and --label only apply to new sessions");
    const { id, platform } = await findSession(client, session);
    return { id, platform };
  }
  if (!isPlatform(idOrLabel)) throw usageError(`platform must be one of the following values: ${platforms.join(", ")}`);
  if (phone !== undefined && idOrLabel !== "whatsapp") throw usageError("--phone only works with WhatsApp");
  const made = await client.request(
    { method: "POST", path: `${client.address.paths[idOrLabel]}/session`, body: { phone, label } },
    isCredentials,
  );
  return { ...made, platform: idOrLabel };
}
