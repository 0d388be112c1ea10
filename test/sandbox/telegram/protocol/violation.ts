/** The peer broke the protocol in a way that no answer can describe: the connection is closed. */
export class ProtocolViolation extends Error {}
