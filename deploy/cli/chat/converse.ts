import { createInterface } from "node:readline";
import { pause } from "../../../shared/flow/pause.js";
import type { Cli } from "../cli.js";
import { CliError } from "../exit-code.js";
import { isMessageSent, type ChatMessageRow } from "../gateway/responses.js";
import { NoResponse, Refusal } from "../gateway/refusal.js";
import { recipientOf } from "../message/recipient.js";
import { sendOnce } from "../message/send-once.js";
import { messageLine } from "./message-line.js";
import { NewMessages } from "./new-messages.js";
import { readMessages, type MessagesOf } from "./read-messages.js";

const everyMs = 3_000;

/** Prints the messages of a chat as they arrive, and sends each line of standard input, until its end or Ctrl-C. */
export async function converse(cli: Cli, of: MessagesOf): Promise<void> {
  const { screen, signal, surroundings } = cli;
  const { stdin } = surroundings;
  const messages = new NewMessages<ChatMessageRow>();
  const print = async (): Promise<void> => {
    for (const message of messages.of((await readMessages(cli, of)).docs)) screen.showLine(message, () => messageLine(message));
  };
  await print();
  if (stdin.isTTY) screen.say("Type a message and press Enter to send it. Press Ctrl-D to leave.");
  const over = new AbortController();
  const watching = watch(cli, print, over.signal).then(
    () => undefined,
    (error: unknown) => {
      over.abort();
      return { error };
    },
  );
  try {
    for await (const line of createInterface({ input: stdin, signal: AbortSignal.any([signal, over.signal]) })) {
      if (line.trim() === "") continue;
      const sent = await send(cli, of, line);
      if (sent !== undefined) messages.leaveOut(sent);
    }
  } finally {
    over.abort();
  }
  const failed = await watching;
  if (failed !== undefined) throw failed.error;
  signal.throwIfAborted();
}

/** Returns the id of the sent message. At a terminal a refusal is printed, and `undefined` returned. */
async function send(cli: Cli, { session, chat }: MessagesOf, text: string): Promise<string | undefined> {
  try {
    const { response } = await sendOnce(
      cli,
      {
        session: session.id,
        request: (platform) => ({ method: "POST", path: "/message", body: { ...recipientOf(platform, chat), type: "text", text } }),
        key: undefined,
      },
      isMessageSent,
    );
    return "messageId" in response ? response.messageId : undefined;
  } catch (error) {
    if (!cli.surroundings.stdin.isTTY || !(error instanceof CliError)) throw error;
    cli.screen.say(`Not sent: ${error.message}`);
    return undefined;
  }
}

/** Prints new messages at intervals. Reports a failure that may pass, and throws any other one. */
async function watch({ screen }: Cli, print: () => Promise<void>, end: AbortSignal): Promise<void> {
  for (;;) {
    await pause(everyMs, end);
    if (end.aborted) return;
    try {
      await print();
    } catch (error) {
      if (!(error instanceof NoResponse || (error instanceof Refusal && (error.status === 429 || error.status >= 500)))) throw error;
      screen.say(error.message);
    }
  }
}
