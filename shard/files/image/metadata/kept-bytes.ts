/** Collects the kept parts of a file in one buffer, because a hostile file may have a million parts. */
export class KeptBytes {
  private readonly bytes: Buffer;
  private length = 0;

  /** `sizeBytes` is the largest number of bytes that will be kept. */
  constructor(sizeBytes: number) {
    this.bytes = Buffer.allocUnsafe(sizeBytes);
  }

  add(part: Uint8Array): void {
    this.bytes.set(part, this.length);
    this.length += part.length;
  }

  whole(): Buffer {
    return this.bytes.subarray(0, this.length);
  }
}

/** A larger colour profile is dropped. A printer's profile has half of this. */
export const profileMaxBytes = 1024 * 1024;

/** Room for bytes that the stripped file has in addition to its source. */
export const spareBytes = 64;

export function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
