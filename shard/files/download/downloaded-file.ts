import { randomUUID } from "node:crypto";
import { open, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

/**
 * A fetched file on disk. It keeps its name until `dispose`, because ffmpeg and the render process open it themselves. The receiver must
 * dispose of it.
 */
export class DownloadedFile {
  private disposed: Promise<void> | undefined;

  /** `contentType` is the type from the server, lower case and without parameters; empty when the server sent none. */
  constructor(
    readonly path: string,
    readonly size: number,
    readonly contentType: string,
    private readonly handle: FileHandle,
    private readonly onDispose: () => void,
  ) {}

  /** Returns up to `length` bytes from `offset`; fewer only at the end of the file. */
  async read(offset: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.size - offset)));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.handle.read(bytes, filled, bytes.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }

  /** Closes and removes the file. Calling it again does nothing. */
  dispose(): Promise<void> {
    return (this.disposed ??= removeFile(this.handle, this.path).finally(this.onDispose));
  }
}

/** Opens a new file in `folder` that only this user can read. */
export async function createFile(folder: string): Promise<{ path: string; handle: FileHandle }> {
  const path = join(folder, randomUUID());
  return { path, handle: await open(path, "wx+", 0o600) };
}

export async function removeFile(handle: FileHandle, path: string): Promise<void> {
  await handle.close();
  await rm(path, { force: true });
}
