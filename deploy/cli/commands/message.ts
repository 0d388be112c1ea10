import { Option, type Command } from "commander";
import type { Cli, Registry } from "../cli.js";
import { examples } from "../examples.js";
import { usageError } from "../exit-code.js";
import { isChanged } from "../gateway/responses.js";
import { addDeliveryOptions } from "../message/content-options.js";
import { recipientOf } from "../message/recipient.js";
import { sendOnce, type Once } from "../message/send-once.js";
import { required } from "../options.js";

interface Options {
  readonly session?: string;
  readonly to?: string;
  readonly author?: string;
  readonly idempotencyKey?: string;
}

type RequestOf = (recipient: Readonly<Record<string, string>>) => ReturnType<Once["request"]>;

export function registerMessages({ program, run }: Registry): void {
  const message = program.command("message").description("React to, edit, delete or mark as read one message (retried safely).");
  chatOptions(message.command("react <message-id>").description("React to a message, instead of an earlier reaction."), true)
    .option("--emoji <emoji>", "The reaction, e.g. 👍")
    .option("--remove", "Remove the reaction")
    .addHelpText("after", examples("message react 301 --session alice --to @bob_sandbox --emoji 👍"))
    .action(
      run(async (cli, messageId: string, { emoji, remove = false, ...given }: Options & { emoji?: string; remove?: boolean }) => {
        if (remove === (emoji !== undefined)) throw usageError("use either --emoji or --remove");
        const { author } = given;
        const request: RequestOf = (recipient) => ({
          method: "POST",
          path: "/message/reaction",
          body: { ...recipient, messageId, author, emoji: emoji ?? "" },
        });
        await change(cli, messageId, given, request, remove ? "Removed the reaction to" : "Reacted to");
      }),
    );
  chatOptions(message.command("edit <message-id>").description("Replace the text of a message of the account."), false)
    .option("--text <text>", "New text, required")
    .addOption(new Option("--parse-mode <mode>", "Text formatting (Telegram only)").choices(["markdown", "html"]))
    .addHelpText("after", examples('message edit 301 --session alice --to @bob_sandbox --text "Open until nine"'))
    .action(
      run(async (cli, messageId: string, { text, parseMode, ...given }: Options & { text?: string; parseMode?: string }) => {
        const body = { text: required(text, "--text <text>"), parseMode };
        const request: RequestOf = (recipient) => ({ method: "PATCH", path: pathOf(messageId), body: { ...recipient, ...body } });
        await change(cli, messageId, given, request, "Edited");
      }),
    );
  chatOptions(message.command("delete <message-id>").description("Delete a message for everybody."), true)
    .addHelpText("after", examples("message delete 301 --session alice --to @bob_sandbox"))
    .action(
      run(async (cli, messageId: string, given: Options) => {
        const { author } = given;
        const request: RequestOf = (recipient) => ({ method: "DELETE", path: pathOf(messageId), query: { ...recipient, author } });
        await change(cli, messageId, given, request, "Deleted");
      }),
    );
  chatOptions(message.command("read <message-id>").description("Mark a message as read."), true)
    .addHelpText("after", examples("message read 301 --session alice --to @bob_sandbox"))
    .action(
      run(async (cli, messageId: string, given: Options) => {
        const { author } = given;
        const request: RequestOf = (recipient) => ({ method: "POST", path: "/message/read", body: { ...recipient, messageId, author } });
        await change(cli, messageId, given, request, "Read");
      }),
    );
}

function chatOptions(command: Command, hasAuthor: boolean): Command {
  command
    .option("--session <session>", "Session (ID, label or unique match), required")
    .option("--to <recipient>", "Chat of the message, as in send --to, required");
  if (hasAuthor) command.option("--author <id>", "Author of the message (WhatsApp groups)");
  return addDeliveryOptions(command).optionsGroup("Options:");
}

const pathOf = (messageId: string): string => `/message/${encodeURIComponent(messageId)}`;

async function change(
  cli: Cli,
  messageId: string,
  { session: named, to, idempotencyKey: key }: Options,
  request: RequestOf,
  done: string,
): Promise<void> {
  const [session, recipient] = [required(named, "--session <session>"), required(to, "--to <recipient>")];
  const once: Once = { session, request: (on) => request(recipientOf(on, recipient)), key };
  const { id, platform } = await sendOnce(cli, once, isChanged);
  cli.screen.show({ session: id, platform, messageId }, () => `${done} message ${messageId}`);
}
