/** Returned when the platform has accepted the change of a message. */
export interface ChangedMessage {
  /** Id of the changed message, as the request names it. */
  messageId: string;
}
