import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Generated files, kept under the data folder so that only the first start pays for making them. */
export class FileCache {
  constructor(private readonly folder: string) {}

  /** The stored file, or what `make` yields, stored. A change of `recipe` makes it anew. */
  async get(name: string, recipe: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const path = join(this.folder, `${createHash("sha256").update(recipe).digest("hex").slice(0, 8)}-${name}`);
    try {
      return await readFile(path);
    } catch {
      // Not made yet: every other trouble with the file ends in making it again, too.
    }
    const bytes = await make();
    await mkdir(this.folder, { recursive: true });
    const draft = `${path}.${process.pid}.tmp`;
    await writeFile(draft, bytes);
    await rename(draft, path);
    return bytes;
  }
}
