/** The client broke the protocol in a way that no response can describe, so the connection is closed. */
export class ProtocolViolation extends Error {}
