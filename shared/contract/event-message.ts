import type { Count } from "./plain-values.js";

/** Fields that messages in webhook events have on every platform, with the same meaning. */
export interface EventMessage {
  /** True if the account sent the message from another device. */
  fromMe: boolean;
  /** Same value in all messages of one album. Empty outside of albums. */
  albumId: string;
  /** Time of the last edit, in ISO 8601. Empty if never edited. */
  edited: string;
  /** Id of the message that this message replies to. Empty otherwise. */
  replyTo: string;
  /** Signed link to the file. Empty without media. */
  url: string;
  /** Signed link to the thumbnail. Empty if there is none. */
  thumbnail: string;
  /** Media type of the file. Empty without a file. */
  mimetype: string;
  /** File name of a document. Empty otherwise. */
  name: string;
  /** Size of the file at `url` in bytes. 0 without media. */
  size: Count;
  /** Length of audio or video in seconds. 0 otherwise. */
  duration: number;
  /** Pixels. 0 if unknown. */
  width: Count;
  /** Pixels. 0 if unknown. */
  height: Count;
  /** True for voice messages. */
  voice: boolean;
  /** True for round video messages. */
  round: boolean;
}

/** A location in a message, under a name of its own on each platform. */
export interface EventLocation {
  /** Degrees. */
  latitude: number;
  /** Degrees. */
  longitude: number;
  /** Name of the place. */
  name: string;
  /** Address of the place. */
  address: string;
}

/** A contact in a message, likewise. */
export interface EventContact {
  /** Name of the contact. */
  name: string;
  /** Number of the contact. */
  phone: string;
}
