import { Option } from "commander";
import type { Registry } from "../cli.js";
import { addContentOptions, addDeliveryOptions, addFileOptions } from "../message/content-options.js";
import { messageBody, type ContentOptions } from "../message/message-body.js";
import { postOnce } from "../message/post-once.js";
import { recipientOf } from "../message/recipient.js";
import { count, required } from "../options.js";
import { examples } from "../examples.js";

interface Options extends ContentOptions {
  readonly session?: string;
  readonly to?: string;
  readonly parseMode?: string;
  readonly idempotencyKey?: string;
}

export function registerSend({ program, run }: Registry): void {
  const send = program
    .command("send")
    .description("Send a message (retried safely if the gateway doesn't respond).")
    .option("--session <session>", "Sender session (ID, label or unique match), required")
    .option(
      "--to <recipient>",
      "Recipient, required: phone number, …@lid, …@g.us, …@newsletter, @username, t.me link, Telegram ID, or kind:value such as channel:-1001900000016",
    );
  addContentOptions(send)
    .option("--audio <url>", "Audio file URL (needs --duration)")
    .option("--document <url>", "Document URL")
    .option("--location <lat,long>", "Location, e.g. 52.52,13.405")
    .option("--contact <name,phone>", "Contact, e.g. 'Bob,+4915112345678'")
    .addOption(new Option("--parse-mode <mode>", "Text formatting (Telegram only)").choices(["markdown", "html"]));
  addFileOptions(send)
    .option("--name <name>", "Name of the document or place")
    .addOption(new Option("--size <bytes>", "File size in bytes (documents)").argParser(count));
  addDeliveryOptions(send)
    .addHelpText(
      "after",
      examples(
        "send --session alice --to +4915112345678 --text Hello",
        "send --session shop --to 1203@g.us --image https://example.org/a.jpg --text Menu",
      ),
    )
    .action(
      run(async (cli, { parseMode, idempotencyKey, ...given }: Options) => {
        const { session: sender, to: recipient, ...content } = given;
        const [session, to] = [required(sender, "--session <session>"), required(recipient, "--to <recipient>")];
        const message = messageBody(content);
        const body = (platform: Parameters<typeof recipientOf>[0]) => ({ ...recipientOf(platform, to), parseMode, ...message });
        const { id, platform, sent } = await postOnce(cli, { session, endpoint: "message", body, key: idempotencyKey });
        cli.screen.show({ session: id, platform, messageId: sent }, () => `Sent${sent === "" ? "" : ` message ${sent}`}`);
      }),
    );
}
