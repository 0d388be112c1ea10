import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";

// The host is part of the name because containers that share a volume have equal process ids; `life`, because a restarted container has
// its predecessor's id.
const host = hostname();
const life = `${process.pid}-${randomUUID().slice(0, 8)}`;

/** A folder for the temporary files of one part of this process, mode 0700. */
export class TempFolder {
  readonly path: string;
  private readonly prefix: string;

  constructor(
    private readonly parent: string,
    kind = "download",
  ) {
    this.prefix = `${kind}-${host}-`;
    this.path = resolve(parent, `${this.prefix}${life}-${randomUUID().slice(0, 8)}`);
  }

  /** Makes the folder, and removes the folders of processes that were killed. */
  async open(): Promise<void> {
    await mkdir(this.parent, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.parent)) {
      if (this.isLeftOver(name)) await rm(join(this.parent, name), { recursive: true, force: true });
    }
    await mkdir(this.path, { mode: 0o700 });
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  private isLeftOver(name: string): boolean {
    if (!name.startsWith(this.prefix)) return false;
    const owner = name.slice(this.prefix.length);
    const pid = Number.parseInt(owner, 10);
    return Number.isInteger(pid) && (pid === process.pid ? !owner.startsWith(life) : !isAlive(pid));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process lives and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
