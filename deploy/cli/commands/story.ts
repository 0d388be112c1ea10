import { Option } from "commander";
import type { Registry } from "../cli.js";
import { addContentOptions, addDeliveryOptions, addFileOptions } from "../message/content-options.js";
import { messageBody, type ContentOptions } from "../message/message-body.js";
import { required } from "../options.js";
import { postOnce } from "../message/post-once.js";
import { examples } from "../examples.js";

interface Options extends ContentOptions {
  readonly session?: string;
  readonly privacy?: string;
  readonly idempotencyKey?: string;
}

export function registerStory({ program, run }: Registry): void {
  const story = program
    .command("story")
    .description("Post a Telegram story or WhatsApp status.")
    .option("--session <session>", "Session (ID, label or unique match), required");
  addFileOptions(addContentOptions(story));
  addDeliveryOptions(story)
    .addOption(new Option("--privacy <who>", "Audience (Telegram only)").choices(["contacts", "everyone", "close_friends"]))
    .addHelpText(
      "after",
      examples("story --session alice --text Hello", "story --session alice --image https://example.org/a.jpg --privacy contacts"),
    )
    .action(
      run(async (cli, { session: poster, privacy, idempotencyKey, ...content }: Options) => {
        const session = required(poster, "--session <session>");
        const body = () => ({ ...messageBody(content), privacy });
        const { id, platform, sent } = await postOnce(cli, { session, endpoint: "status", body, key: idempotencyKey });
        cli.screen.show({ session: id, platform, statusId: sent }, () => `Posted${sent === "" ? "" : ` ${sent}`}`);
      }),
    );
}
