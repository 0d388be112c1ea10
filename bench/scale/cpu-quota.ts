import { existsSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../test/harness/eventually.js";

/**
 * The smallest quota per period. Shorter periods mean shorter pauses for a process that has used its share, which is closer to a slow
 * core.
 */
const quotaMicros = 1_000;
const root = "/sys/fs/cgroup";

/**
 * Limits each process to a fixed share of a core, as if it had a small machine of its own, with Linux' control groups of either version.
 * Must be closed after the processes have ended.
 */
export class CpuQuota {
  private readonly folders: string[] = [];

  private constructor(
    private readonly parent: string,
    private readonly share: number,
  ) {}

  /** Returns `undefined` where groups cannot be created: not Linux, not root, or a restricted container. `share` is in cores. */
  static async open(share: number): Promise<CpuQuota | undefined> {
    const parent = existsSync(join(root, "cgroup.controllers")) ? root : join(root, "cpu");
    const quota = new CpuQuota(parent, share);
    try {
      await quota.makeGroup(`trunkline-bench-${process.pid}-probe`);
      return quota;
    } catch {
      return undefined;
    } finally {
      await quota.close().catch(() => undefined);
    }
  }

  /** Limits all threads of the process to the share from now on. */
  async limit(pid: number): Promise<void> {
    const folder = await this.makeGroup(`trunkline-bench-${pid}`);
    await writeFile(join(folder, "cgroup.procs"), String(pid));
  }

  /** Removes the groups. Their processes must have ended or end soon. */
  async close(): Promise<void> {
    for (const folder of this.folders.splice(0)) await eventually(`${folder} is empty`, () => rmdir(folder).then(() => true));
  }

  private async makeGroup(name: string): Promise<string> {
    const folder = join(this.parent, name);
    await mkdir(folder);
    this.folders.push(folder);
    const periodMicros = Math.round(quotaMicros / this.share);
    if (this.parent === root) await writeFile(join(folder, "cpu.max"), `${quotaMicros} ${periodMicros}`);
    else {
      await writeFile(join(folder, "cpu.cfs_period_us"), String(periodMicros));
      await writeFile(join(folder, "cpu.cfs_quota_us"), String(quotaMicros));
    }
    return folder;
  }
}
