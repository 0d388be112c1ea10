/**
 * Returns the content of the field with this number in an encoded protobuf message, or no bytes when the message does not have the field.
 */
export function fieldOf(message: Uint8Array, wanted: number): Uint8Array {
  let at = 0;
  const varint = (): number => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    switch (tag % 8) {
      case 0:
        varint();
        break;
      case 1:
        at += 8;
        break;
      case 2: {
        const length = varint();
        if (Math.floor(tag / 8) === wanted) return message.subarray(at, at + length);
        at += length;
        break;
      }
      case 5:
        at += 4;
        break;
      default:
        return message.subarray(0, 0);
    }
  }
  return message.subarray(0, 0);
}
