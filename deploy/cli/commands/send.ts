import { Option } from "commander";
import type { Registry } from "../cli.js";
import { addMediaOptions } from "../message/content-options.js";
import { messageBody, type ContentOptions } from "../message/message-body.js";
import { postOnce } from "../message/post-once.js";
import { recipientOf } from "../message/recipient.js";
import { count } from "../options.js";

interface Options extends ContentOptions {
  readonly session: string;
  readonly to: string;
  readonly parseMode?: string;
  readonly idempotencyKey?: string;
}

export function registerSend({ program, run }: Registry): void {
  const send = program
    .command("send")
    .description("sends a message, once: it is tried again under one idempotency key while nobody answers")
    .requiredOption("--session <session>", "who sends: an id, a label, or what finds only one")
    .requiredOption(
      "--to <recipient>",
      "a phone number, …@g.us, …@newsletter; Telegram also @username, t.me link, id; or kind:value, such as channel:-1001900000016",
    );
  addMediaOptions(send)
    .option("--audio <url>", "with --duration")
    .option("--document <url>", "with --name, if it is not the URL's")
    .option("--location <lat,long>", "with --name, if it has one")
    .option("--contact <name,phone>")
    .option("--name <name>", "of a document or place")
    .addOption(new Option("--size <bytes>", "of a document, as far as it is known").argParser(count))
    .addOption(new Option("--parse-mode <mode>", "Telegram: marks in the text").choices(["markdown", "html"]))
    .addHelpText(
      "after",
      "\nExamples: trunkline send --session alice --to +4915112345678 --text Hello    trunkline send --session shop --to 1203@g.us --image https://example.org/a.jpg --text Menu",
    )
    .action(
      run(async (cli, { session, to, parseMode, idempotencyKey, ...content }: Options) => {
        const message = messageBody(content);
        const body = (platform: Parameters<typeof recipientOf>[0]) => ({ ...recipientOf(platform, to), parseMode, ...message });
        const { id, platform, sent } = await postOnce(cli, { session, endpoint: "message", body, key: idempotencyKey });
        cli.screen.show({ session: id, platform, messageId: sent }, () => `sent${sent === "" ? "" : `: message ${sent}`}`);
      }),
    );
}
