import { Option, type Command } from "commander";
import { positive } from "../options.js";

/** Those of messages and of stories. Files are named by URL. */
export function addMediaOptions(command: Command): Command {
  return command
    .option("--text <text>", "the text; of a file its caption")
    .option("--image <url>")
    .option("--video <url>", "with --duration")
    .option("--mimetype <type>", "of the file, where its name does not tell")
    .addOption(new Option("--duration <seconds>", "of a video or audio").argParser(positive))
    .option("--thumbnail <url>")
    .option("--idempotency-key <key>", "that of a try before this, which is then not sent twice");
}
