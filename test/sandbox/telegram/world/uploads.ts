import { createHash, type Hash } from "node:crypto";
import { RpcFault } from "../rpc.js";

/** A complete upload that a message or story can use. */
export interface UploadedFile {
  readonly fileId: string;
  readonly size: number;
  readonly sha256: string;
  /** Absent if the file exceeds the size that the sandbox stores. */
  readonly bytes: Buffer | undefined;
}

interface Upload {
  readonly sizes: Map<number, number>;
  readonly hash: Hash;
  /** Parts that arrived before an earlier one and cannot be hashed yet. */
  readonly early: Map<number, Buffer>;
  hashed: number;
  size: number;
  chunks: Buffer[] | undefined;
  totalParts: number | undefined;
  touchedAt: number;
}

const maxParts = 4_000;
const maxPartBytes = 512 * 1024;
/** Larger files only have a sha256. */
const keptBytes = 25 * 1024 * 1024;
const maxEarlyParts = 64;
const maxUploads = 2_000;
const maxIdleMs = 600_000;

/** File parts in upload, with the platform's rules for part sizes and numbers. */
export class Uploads {
  private readonly open = new Map<string, Upload>();

  /** Stores one part. `totalParts` is given for big files only. */
  savePart(account: string, fileId: string, part: number, bytes: Buffer, totalParts: number | undefined): void {
    checkPart(part, bytes, totalParts);
    const key = `${account}:${fileId}`;
    const upload = this.open.get(key) ?? this.start(key);
    upload.touchedAt = Date.now();
    if (totalParts !== undefined) upload.totalParts = totalParts;
    if (upload.sizes.has(part)) return; // The client repeats a part after a reconnect.
    const first = upload.sizes.get(0);
    if (first !== undefined && part > 0 && bytes.length > first) throw new RpcFault(400, "FILE_PART_SIZE_CHANGED");
    upload.sizes.set(part, bytes.length);
    upload.size += bytes.length;
    upload.early.set(part, Buffer.from(bytes));
    if (upload.early.size > maxEarlyParts) throw new RpcFault(400, `FILE_PART_${upload.hashed}_MISSING`);
    advance(upload);
  }

  /** Completes an upload whose parts have all arrived, all but the last of one size. An upload can be used once. */
  take(account: string, fileId: string, parts: number): UploadedFile {
    const key = `${account}:${fileId}`;
    const upload = this.open.get(key);
    if (parts < 1 || parts > maxParts || upload === undefined) throw new RpcFault(400, "FILE_PARTS_INVALID");
    for (let part = 0; part < parts; part++) if (!upload.sizes.has(part)) throw new RpcFault(400, `FILE_PART_${part}_MISSING`);
    if (upload.sizes.size !== parts || (upload.totalParts ?? parts) !== parts) throw new RpcFault(400, "FILE_PARTS_INVALID");
    const full = upload.sizes.get(0) ?? 0;
    for (let part = 0; part < parts; part++) {
      const size = upload.sizes.get(part) ?? 0;
      const isLast = part === parts - 1;
      if (isLast ? size > full : size !== full || !isPartSize(size)) throw new RpcFault(400, "FILE_PART_SIZE_INVALID");
    }
    this.open.delete(key);
    return {
      fileId,
      size: upload.size,
      sha256: upload.hash.digest("hex"),
      bytes: upload.chunks === undefined ? undefined : Buffer.concat(upload.chunks),
    };
  }

  private start(key: string): Upload {
    const now = Date.now();
    // Evicts abandoned uploads. Uploads are ordered by their start, so the oldest come first.
    for (const [other, upload] of this.open)
      if (this.open.size >= maxUploads || now - upload.touchedAt > maxIdleMs) this.open.delete(other);
    const upload: Upload = {
      sizes: new Map(),
      hash: createHash("sha256"),
      early: new Map(),
      hashed: 0,
      size: 0,
      chunks: [],
      totalParts: undefined,
      touchedAt: now,
    };
    this.open.set(key, upload);
    return upload;
  }
}

function checkPart(part: number, bytes: Buffer, totalParts: number | undefined): void {
  if (totalParts !== undefined && (totalParts < 1 || totalParts > maxParts)) throw new RpcFault(400, "FILE_PARTS_INVALID");
  if (part < 0 || part >= (totalParts ?? maxParts)) throw new RpcFault(400, "FILE_PART_INVALID");
  if (bytes.length === 0) throw new RpcFault(400, "FILE_PART_EMPTY");
  if (bytes.length > maxPartBytes) throw new RpcFault(400, "FILE_PART_TOO_BIG");
  const isLast = totalParts === undefined || part === totalParts - 1;
  if (!isLast && !isPartSize(bytes.length)) throw new RpcFault(400, "FILE_PART_SIZE_INVALID");
}

function isPartSize(size: number): boolean {
  return size % 1024 === 0 && maxPartBytes % size === 0;
}

function advance(upload: Upload): void {
  for (let next = upload.early.get(upload.hashed); next !== undefined; next = upload.early.get(upload.hashed)) {
    upload.early.delete(upload.hashed);
    upload.hashed++;
    upload.hash.update(next);
    if (upload.size > keptBytes) upload.chunks = undefined;
    upload.chunks?.push(next);
  }
}
