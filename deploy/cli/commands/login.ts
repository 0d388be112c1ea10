import { isPlatform, platforms, type Platform } from "../../../shared/contract/platform.js";
import type { Cli, Registry } from "../cli.js";
import { usageError } from "../exit-code.js";
import { isCredentials } from "../gateway/answers.js";
import { findSession } from "../gateway/find-session.js";
import { LoginFlow, type LoginOptions } from "../login/login-flow.js";
import { plain } from "../output/plain.js";

interface Options extends LoginOptions {
  readonly session?: string;
  readonly phone?: string;
  readonly label?: string;
}

export function registerLogin({ program, run }: Registry): void {
  program
    .command("login")
    .argument("[platform]", `${platforms.join(" or ")}: a new session is made`)
    .description("logs an account in: shows the QR and its successors, asks for a two-step password, waits until it is connected")
    .option("--session <session>", "a session that is there: its id, its label, or what finds only one")
    .option("--label <label>", "one line by which the new session is found")
    .option("--phone <number>", "WhatsApp: a pairing code for this number instead of a QR")
    .option("--password-file <file>", "holds the two-step password, for where there is no terminal to ask at")
    .option("--qr-file <file>", "writes the QR as a picture instead of drawing it")
    .option("--sandbox-scan <account>", "on the sandbox: the phone of this account scans")
    .addHelpText(
      "after",
      "\nExamples: trunkline login whatsapp --label shop    trunkline login telegram --label alice --sandbox-scan alice",
    )
    .action(run(login));
}

async function login(cli: Cli, word: string | undefined, options: Options): Promise<void> {
  const session = await take(cli, word, options);
  cli.screen.say(`session ${session.id} (${session.platform})`);
  const { name, phone } = await new LoginFlow(cli, session, options).run();
  cli.screen.show(
    { ...session, name, phone, isConnected: true },
    () => `${session.id}: connected${name === "" ? "" : ` as ${plain(name)}`} (${phone})`,
  );
}

interface TakenSession {
  readonly id: string;
  readonly platform: Platform;
  /** Shown once, when it is made. */
  readonly sessionId?: string;
}

async function take({ client, screen }: Cli, word: string | undefined, { session, phone, label }: Options): Promise<TakenSession> {
  if ((session === undefined) === (word === undefined))
    throw usageError("name a platform for a new session, or one that is there with --session");
  if (session !== undefined) {
    if (phone !== undefined || label !== undefined) throw usageError("--phone and --label are of a new session");
    const { id, platform } = await findSession(client, session);
    return { id, platform };
  }
  if (!isPlatform(word)) throw usageError(`platform must be one of the following values: ${platforms.join(", ")}`);
  if (phone !== undefined && word !== "whatsapp") throw usageError("--phone is of WhatsApp");
  const made = await client.ask({ method: "POST", path: `${client.address.paths[word]}/session`, body: { phone, label } }, isCredentials);
  if (!screen.json) screen.say(`session-id ${made.sessionId}, shown only now`);
  return { ...made, platform: word };
}
