/** An item of a `Vector<int>`. */
export function tlInt(value: number): { getBytes(): Buffer } {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32LE(value, 0);
  return { getBytes: () => bytes };
}
