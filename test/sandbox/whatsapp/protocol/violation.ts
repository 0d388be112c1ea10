/** The client broke the protocol in a way that no response can describe, so the connection is closed. */
export class ProtocolViolation extends Error {}

/** Turns any error of reading the client's bytes into a violation. */
export function orViolation<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ProtocolViolation(what, { cause: error });
  }
}
