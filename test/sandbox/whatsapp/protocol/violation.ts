/** The peer broke the protocol in a way that no answer can describe: the connection is closed. */
export class ProtocolViolation extends Error {}

/** Whatever goes wrong with the peer's bytes is the peer's fault. */
export function orViolation<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ProtocolViolation(what, { cause: error });
  }
}
