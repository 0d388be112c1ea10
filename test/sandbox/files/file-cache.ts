import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Cache of generated files in the data folder, so that only the first start generates them. */
export class FileCache {
  constructor(private readonly folder: string) {}

  /** Returns the stored file, or stores the result of `make`. A changed `recipe` generates the file again. */
  async get(name: string, recipe: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const path = join(this.folder, `${createHash("sha256").update(recipe).digest("hex").slice(0, 8)}-${name}`);
    try {
      return await readFile(path);
    } catch {
      // The file is missing or unreadable: both cases generate it again.
    }
    const bytes = await make();
    await mkdir(this.folder, { recursive: true });
    const draft = `${path}.${process.pid}.tmp`;
    await writeFile(draft, bytes);
    await rename(draft, path);
    return bytes;
  }
}
