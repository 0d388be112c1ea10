import { Option } from "commander";
import type { Registry } from "../cli.js";
import { addMediaOptions } from "../message/content-options.js";
import { messageBody, type ContentOptions } from "../message/message-body.js";
import { postOnce } from "../message/post-once.js";

interface Options extends ContentOptions {
  readonly session: string;
  readonly privacy?: string;
  readonly idempotencyKey?: string;
}

export function registerStory({ program, run }: Registry): void {
  const story = program
    .command("story")
    .description("posts a Telegram story or a WhatsApp status")
    .requiredOption("--session <session>", "who posts: an id, a label, or what finds only one");
  addMediaOptions(story)
    .addOption(new Option("--privacy <who>", "Telegram: who sees it").choices(["contacts", "everyone", "close_friends"]))
    .action(
      run(async (cli, { session, privacy, idempotencyKey, ...content }: Options) => {
        const body = () => ({ ...messageBody(content), privacy });
        const { id, platform, sent } = await postOnce(cli, { session, endpoint: "status", body, key: idempotencyKey });
        cli.screen.show({ session: id, platform, statusId: sent }, () => `posted${sent === "" ? "" : `: ${sent}`}`);
      }),
    );
}
