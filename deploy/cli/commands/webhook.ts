import typia from "typia";
import type { WebhookSettings } from "../../../shared/contract/session.js";
import type { Registry } from "../cli.js";
import { usageError } from "../exit-code.js";
import { isNamed } from "../gateway/responses.js";
import { findSession } from "../gateway/find-session.js";
import type { GatewayRequest } from "../gateway/gateway-client.js";
import { readGivenFile } from "../given-file.js";
import { examples } from "../examples.js";

interface Options {
  readonly endpoint?: string;
  readonly tokenFile?: string;
  readonly events?: string;
  readonly off?: boolean;
}

type Receiver = Pick<WebhookSettings, "url" | "token"> & { readonly events?: readonly string[] };

const hasWebhook = typia.createIs<{ webhook: { url: string; events?: string[] } }>();

export function registerWebhook({ program, run }: Registry): void {
  program
    .command("webhook <session>")
    .description("Show or change a session's webhook. Without options, shows it.")
    .option("--endpoint <url>", "URL of the receiver (needs --token-file)")
    .option("--token-file <file>", "File with the secret that signs each event")
    .option("--events <types>", "Types of the events, separated by commas (default: those of private chats)")
    .option("--off", "Turn the webhook off and discard pending events")
    .addHelpText(
      "after",
      examples(
        "webhook shop",
        "webhook shop --endpoint https://example.com/hook --token-file token.txt --events message.new,call.offered",
        "webhook shop --off",
      ),
    )
    .action(
      run(async ({ client, screen }, word: string, options: Options) => {
        const receiver = receiverOf(options);
        const { id, platform } = await findSession(client, word);
        const base = client.address.paths[platform];
        if (receiver !== undefined) {
          const change: GatewayRequest = { method: "PUT", path: `${base}/session/webhook`, headers: { id }, body: receiver };
          await client.request(change, isNamed);
        }
        // The response has the token and the session's secret, which are not shown.
        const { webhook } = await client.request({ path: `${base}/session`, headers: { id } }, hasWebhook);
        const { url, events } = webhook;
        screen.show({ id, url, ...(events === undefined ? {} : { events }) }, () => `${id}: ${textOf(url, events)}`);
      }),
    );
}

/** Returns the new settings; `undefined` if the options change nothing. */
function receiverOf({ endpoint, tokenFile, events, off = false }: Options): Receiver | undefined {
  const given = [endpoint, tokenFile, events].filter((option) => option !== undefined);
  if (off && given.length > 0) throw usageError("use --off without other options");
  if (off) return { url: "", token: "" };
  if (given.length === 0) return undefined;
  if (endpoint === undefined || tokenFile === undefined) throw usageError("--endpoint and --token-file are required to set a webhook");
  const types = events?.split(",").map((type) => type.trim());
  return { url: endpoint, token: readGivenFile("--token-file", tokenFile), ...(types === undefined ? {} : { events: types }) };
}

function textOf(url: string, events: readonly string[] | undefined): string {
  if (url === "") return "webhook is off";
  return `events go to ${url} (${events === undefined ? "private chats" : events.join(", ")})`;
}
