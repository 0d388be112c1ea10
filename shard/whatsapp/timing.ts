/** Time limits of the adapter in milliseconds. Only tests change them. */
export interface WhatsAppTiming {
  /** From dialling to the first frame of the Noise handshake: TCP, TLS and WebSocket. */
  readonly connectMs: number;
  /** From a finished handshake of a known device to its login. */
  readonly loginMs: number;
  /** An IQ without a deadline of its own. */
  readonly queryMs: number;
  /** Time between two pings. A connection is dead if nothing arrives within 5 s of a ping and within 5 s of a second one. */
  readonly pingMs: number;
  /** Limit for the platform or the phone in one step of a linking by passkey. */
  readonly passkeyStepMs: number;
  /** Limit for the account's owner to compare the code with the phone's. */
  readonly passkeyConfirmMs: number;
  /** How long after the passkey request the phone accepts a proof instead of a compared code. */
  readonly handoffMs: number;
  /** Lifetime of each QR code; undefined: a minute for the first, 20 s for the others, as in the platform's own client. */
  readonly qrMs: number | undefined;
  /** Other messages may overtake a message whose file takes longer than this to download and upload. */
  readonly composeMs: number;
  /**
   * A message without an ack is resent under its id after this time, doubled at each retry, until the command's deadline. Other messages
   * may then overtake it.
   */
  readonly ackMs: number;
  /** How long a send whose connection was lost waits for the next connection. */
  readonly resendMs: number;
  /** Limit for reading the address book again before a status is refused because the book is empty. */
  readonly syncMs: number;
  /** How long a message that could not be decrypted may take to arrive again before it is reported without content. */
  readonly unreadableMs: number;
}

export const defaultTiming: WhatsAppTiming = {
  connectMs: 20_000,
  loginMs: 45_000,
  queryMs: 15_000,
  pingMs: 30_000,
  passkeyStepMs: 60_000,
  passkeyConfirmMs: 180_000,
  handoffMs: 300_000,
  qrMs: undefined,
  composeMs: 5_000,
  ackMs: 15_000,
  resendMs: 30_000,
  syncMs: 15_000,
  unreadableMs: 300_000,
};
