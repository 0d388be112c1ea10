import { Option, type Command } from "commander";
import { positive } from "../options.js";

/** Adds the content options that messages and stories share. */
export function addContentOptions(command: Command): Command {
  return command
    .optionsGroup("Content:")
    .option("--text <text>", "Text, or caption of a file")
    .option("--image <url>", "Image URL")
    .option("--video <url>", "Video URL (needs --duration)");
}

/** Adds the file options that messages and stories share. */
export function addFileOptions(command: Command): Command {
  return command
    .optionsGroup("File details:")
    .option("--mimetype <type>", "MIME type (default: from the file name)")
    .addOption(new Option("--duration <seconds>", "Length of the video or audio").argParser(positive))
    .option("--thumbnail <url>", "Thumbnail URL");
}

export function addDeliveryOptions(command: Command): Command {
  return command.optionsGroup("Delivery:").option("--idempotency-key <key>", "Idempotency key of an earlier attempt");
}
