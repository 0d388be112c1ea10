import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import typia from "typia";
import type { Log } from "../../shared/log/logger.js";
import { isAlive } from "./is-alive.js";

interface Entry {
  member: string;
  incarnation: string;
  pid: number;
  /** Absent in records that predate this field. */
  host?: string;
  /** Id of the kernel's boot that the process ran under; absent in older records and on systems without it. */
  boot?: string;
}

/** An incarnation whose process is gone. */
export interface DeadMember {
  member: string;
  incarnation: string;
  /**
   * "reaped" if this kernel has closed its sockets. After a reboot nothing closed them, so the platforms may still hold the connections,
   * as after a silence.
   */
  why: "reaped" | "timeout";
}

const bootFile = "/proc/sys/kernel/random/boot_id";

/**
 * Records which process is which incarnation in `members.json` of the data folder, for the next supervisor after a kill or a power
 * failure. An incarnation without a process is certainly dead, so its lease need not expire.
 */
export class MemberRecord {
  private readonly file: string;
  private readonly entries = new Map<string, Entry>();

  constructor(
    dataDir: string,
    private readonly log: Pick<Log, "warn">,
    private readonly host?: string,
    private readonly boot = currentBoot(),
  ) {
    this.file = join(dataDir, "members.json");
  }

  /**
   * Stores an entry; the last incarnation of a member wins. Never throws: without the record (a full disk) a lease has to expire, nothing
   * more.
   */
  write(entry: Omit<Entry, "host" | "boot">): void {
    this.entries.set(entry.member, {
      ...entry,
      ...(this.host === undefined ? {} : { host: this.host }),
      ...(this.boot === undefined ? {} : { boot: this.boot }),
    });
    try {
      writeFileSync(`${this.file}.new`, JSON.stringify([...this.entries.values()]));
      renameSync(`${this.file}.new`, this.file);
    } catch (error) {
      this.log.warn({ err: error, member: entry.member }, "member record not written");
    }
  }

  /**
   * Returns the incarnations of an earlier start whose processes are gone. If the process id was reused, the lease has to expire. Entries
   * of another host are skipped, because nothing is known about its processes.
   */
  readDead(): DeadMember[] {
    const dead = this.read().filter(({ pid, host }) => (host === undefined || host === this.host) && !isAlive(pid));
    return dead.map(({ member, incarnation, boot }) => ({ member, incarnation, why: this.isOurs(boot) ? "reaped" : "timeout" }));
  }

  private isOurs(boot: string | undefined): boolean {
    return boot !== undefined && boot === this.boot;
  }

  private read(): Entry[] {
    if (!existsSync(this.file)) return [];
    try {
      return typia.json.isParse<Entry[]>(readFileSync(this.file, "utf8")) ?? [];
    } catch {
      return []; // Not JSON: the leases have to expire.
    }
  }
}

function currentBoot(): string | undefined {
  try {
    return readFileSync(bootFile, "utf8").trim();
  } catch {
    return undefined; // Not Linux.
  }
}
