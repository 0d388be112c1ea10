/** Packs each field after its length in two bytes. */
export function packFields(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields.flatMap((field) => [lengthOf(field), field]));
}

/** Returns the fields, or `undefined` if their lengths do not fit the bytes. */
export function readFields(packed: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < packed.length; ) {
    if (at + 2 > packed.length) return undefined;
    const end = at + 2 + packed.readUInt16BE(at);
    if (end > packed.length) return undefined;
    fields.push(packed.subarray(at + 2, end));
    at = end;
  }
  return fields;
}

function lengthOf(field: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(field.length);
  return length;
}
