/** Every wait of the adapter, milliseconds. Tests shorten them; nothing else does. */
export interface WhatsAppTiming {
  /** From dialling to the first frame of the Noise handshake: TCP, TLS and WebSocket. */
  readonly connectMs: number;
  /** From a finished handshake of a known device to its login. */
  readonly loginMs: number;
  /** An IQ that names no deadline of its own. */
  readonly queryMs: number;
  /** Time between two pings. A connection is dead if nothing comes within 5 s of a ping, nor within 5 s of another. */
  readonly pingMs: number;
  /** What the platform or the phone may take for one step of a linking by passkey. */
  readonly passkeyStepMs: number;
  /** What the account's owner may take to compare the code with the phone's. */
  readonly passkeyConfirmMs: number;
  /** So long after the question for a passkey the phone takes a proof in the place of a compared code. */
  readonly handoffMs: number;
  /** Life of each QR code; undefined: a minute for the first, 20 s for the others, as the platform's own client. */
  readonly qrMs: number | undefined;
  /** A message whose file is longer on its way here and to the platform may be passed by others. */
  readonly composeMs: number;
  /** A message without an ack goes out again under its id after this, doubled each time, until the command's own end; others may pass it from then on. */
  readonly ackMs: number;
  /** A send whose connection was lost waits so long for the next one before it gives up. */
  readonly resendMs: number;
  /** Reading the address book again before a status is refused for want of one. */
  readonly syncMs: number;
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
};
