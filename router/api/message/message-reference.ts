import type { Bytes, NotEmpty, Parameter } from "../../../shared/contract/rules.js";

/** The message that a call is about. */
export interface MessageReferenceForm extends AuthorForm {
  /** Id of the message, at most 256 bytes. */
  messageId: string & NotEmpty & Bytes<256>;
}

/** The message that a path names. */
export interface MessagePathForm {
  /** Id of the message, at most 256 bytes. */
  messageId: string & Parameter & Bytes<256>;
}

export interface AuthorForm {
  /**
   * Id of the person who wrote the message, such as `author.id` of an event, at most 256 bytes. WhatsApp needs it for messages of other
   * people in groups. Telegram ignores it.
   */
  author?: string & Bytes<256>;
}
