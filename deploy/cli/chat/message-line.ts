import { plain } from "../output/plain.js";
import type { ChatMessageRow } from "../gateway/responses.js";

/** Returns a message in one line: its kind unless it is a text, its text, and the link to its file. */
export function messageText({ type, text, voice, name, url, poll }: ChatMessageRow): string {
  const kind =
    type === "text" ? "" : `[${[voice ? "voice" : poll === undefined ? type : "poll", name].filter((part) => part !== "").join(" ")}]`;
  return plain([kind, poll?.question ?? text, url].filter((part) => part !== "").join(" "));
}

/** Returns a message with its time, id and sender. */
export function messageLine(message: ChatMessageRow): string {
  const { id, created, fromMe, author, chat } = message;
  const { id: senderId, name } = author ?? chat;
  const sender = fromMe ? "you" : plain(name === "" ? senderId : name);
  return `${created}  ${plain(id)}  ${sender}: ${messageText(message)}`;
}
