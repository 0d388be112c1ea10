/** Containers: several messages of a client in one packet. */

export const containerId = 0x73f1f8dc;
const maxMessages = 1_020;

/** A message of a client, single or from a container. */
export interface ClientMessage {
  readonly id: bigint;
  readonly sequence: number;
  readonly body: Buffer;
}

/**
 * Layout: constructor (4), count (4), then per message: id (8), sequence (4), length (4), body. Returns undefined if the container is
 * malformed.
 */
export function containerMessages(body: Buffer): ClientMessage[] | undefined {
  if (body.length < 8) return undefined;
  const count = body.readUInt32LE(4);
  if (count > maxMessages) return undefined;
  const messages: ClientMessage[] = [];
  let offset = 8;
  for (let index = 0; index < count; index += 1) {
    if (offset + 16 > body.length) return undefined;
    const end = offset + 16 + body.readUInt32LE(offset + 12);
    if (end > body.length) return undefined;
    messages.push({ id: body.readBigInt64LE(offset), sequence: body.readInt32LE(offset + 8), body: body.subarray(offset + 16, end) });
    offset = end;
  }
  return offset === body.length ? messages : undefined;
}
