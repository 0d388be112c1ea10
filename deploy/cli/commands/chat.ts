import { Option } from "commander";
import type { Registry } from "../cli.js";
import { converse } from "../chat/converse.js";
import { messageLine, messageText } from "../chat/message-line.js";
import { readMessages } from "../chat/read-messages.js";
import { findSession } from "../gateway/find-session.js";
import { everyRow } from "../gateway/pages.js";
import { isChatPage, type ChatRow } from "../gateway/responses.js";
import { count } from "../options.js";
import type { Column } from "../output/table.js";
import { examples } from "../examples.js";

/** Largest page that the gateway returns. */
const rowsOfPage = 100;
const shownDefault = 20;

interface Limited {
  readonly limit: number;
}

export function registerChats({ program, run }: Registry): void {
  const chat = program
    .command("chat")
    .description("List chats, read one, or hold a conversation.")
    .addHelpText("after", examples("chat list alice", "chat show alice 5100000002", "chat alice @bob_sandbox"));
  chat
    .command("list <session>")
    .description("List the chats of an account, newest first.")
    .addOption(limitOption("Most chats to list"))
    .addHelpText("after", examples("chat list alice", "chat list shop --limit 100 --json"))
    .action(
      run(async (cli, idOrLabel: string, { limit }: Limited) => {
        const { id, platform } = await findSession(cli.client, idOrLabel);
        const request = { path: `${cli.client.address.paths[platform]}/chat`, headers: { id } };
        const rows = await everyRow(cli.client, request, isChatPage, { most: limit, rowsOfPage });
        if (cli.screen.json) for (const row of rows) cli.screen.showLine(row, () => "");
        else cli.screen.line(cli.screen.table(columns, rows));
      }),
    );
  chat
    .command("show <session> <chat>")
    .description("Print the last messages of a chat, oldest first.")
    .addOption(limitOption(`Most messages to print, at most ${rowsOfPage}`))
    .option("--before <message-id>", "Print messages before this one")
    .addHelpText("after", examples("chat show alice @bob_sandbox", "chat show shop 1203@g.us --limit 50 --json"))
    .action(
      run(async (cli, idOrLabel: string, id: string, { limit, before }: Limited & { before?: string }) => {
        const session = await findSession(cli.client, idOrLabel);
        const { docs } = await readMessages(cli, { session, chat: id, limit, before });
        for (const message of docs.reverse()) cli.screen.showLine(message, () => messageLine(message));
      }),
    );
  chat
    .command("open <session> <chat>", { isDefault: true })
    .description("Print messages as they arrive, and send each line that is typed.")
    .addHelpText("after", examples("chat alice @bob_sandbox", "chat shop 628123@s.whatsapp.net"))
    .action(
      run(async (cli, idOrLabel: string, id: string) => {
        const session = await findSession(cli.client, idOrLabel);
        await converse(cli, { session, chat: id, limit: shownDefault });
      }),
    );
}

function limitOption(description: string): Option {
  return new Option("--limit <number>", description).argParser(count).default(shownDefault);
}

const columns: readonly Column<ChatRow>[] = [
  { title: "CHAT", of: ({ chat }) => chat.id, whole: true },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "NAME", of: ({ chat: { name, username } }) => (name === "" && username !== "" ? `@${username}` : name) },
  { title: "UNREAD", of: ({ unread }) => unread, align: "right" },
  { title: "NEWEST", of: ({ last }) => last.created },
  { title: "MESSAGE", of: ({ last }) => messageText(last) },
];
