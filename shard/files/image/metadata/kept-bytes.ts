/** Collects the parts of a file that stay, in one buffer: a hostile file may have a million parts. */
export class KeptBytes {
  private readonly bytes: Buffer;
  private length = 0;

  /** `sizeBytes` is the most that will be kept. */
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

/** A larger colour profile is dropped: that of a printer has half of it. */
export const profileMaxBytes = 1024 * 1024;

/** Room for what the stripped file has beside the bytes of its source. */
export const spareBytes = 64;

export function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
