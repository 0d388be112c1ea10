import { notVoice } from "../../../shared/contract/errors.js";

/** Throws `audio must be an ogg file with opus` for any other file: phones play nothing else as a voice message. */
export async function requireVoice(file: { read(offset: number, length: number): Promise<Buffer> }): Promise<void> {
  const head = await file.read(0, headBytes);
  if (head.toString("latin1", 0, 4) !== "OggS" || !head.includes("OpusHead")) throw notVoice();
}

/** The first page of the stream holds nothing but its header. */
const headBytes = 64;
