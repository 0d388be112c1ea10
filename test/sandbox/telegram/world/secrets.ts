import { createHash } from "node:crypto";

/**
 * Access hashes and file references. Each is a keyed digest, so that nothing is stored and every account has its own, as on the real
 * platform.
 */
export class Secrets {
  private readonly epochs = new Map<string, number>();

  constructor(private readonly seed: string) {}

  /** Returns the viewer's access hash of an object: a signed 64-bit number in decimal. */
  accessHash(viewer: string, kind: "user" | "channel" | "photo" | "document", id: number): string {
    return this.digest("access", viewer, kind, id).readBigInt64LE(0).toString();
  }

  fileReference(viewer: string, mediaId: number): Buffer {
    return this.referenceOf(viewer, mediaId, this.epochOf(viewer));
  }

  /** `stale`: valid before the last `expireReferences`. */
  checkReference(viewer: string, mediaId: number, reference: Buffer): "good" | "stale" | "foreign" {
    if (reference.length !== 21) return "foreign";
    const epoch = reference.readUInt32BE(1);
    if (!this.referenceOf(viewer, mediaId, epoch).equals(reference)) return "foreign";
    return epoch === this.epochOf(viewer) ? "good" : "stale";
  }

  expireReferences(viewer: string): void {
    this.epochs.set(viewer, this.epochOf(viewer) + 1);
  }

  private epochOf(viewer: string): number {
    return this.epochs.get(viewer) ?? 0;
  }

  private referenceOf(viewer: string, mediaId: number, epoch: number): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(1, 0);
    head.writeUInt32BE(epoch, 1);
    return Buffer.concat([head, this.digest("reference", viewer, epoch, mediaId).subarray(0, 16)]);
  }

  private digest(...parts: (string | number)[]): Buffer {
    return createHash("sha256")
      .update(`${this.seed}\0${parts.join("\0")}`)
      .digest();
  }
}
