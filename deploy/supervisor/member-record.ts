import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import typia from "typia";
import type { Log } from "../../shared/log/logger.js";
import { isAlive } from "./is-alive.js";

interface Entry {
  member: string;
  incarnation: string;
  pid: number;
  /** Of a record of before this was noted: absent. */
  host?: string;
  /** Which start of the kernel it ran under; absent as above, and where there is no such thing. */
  boot?: string;
}

/** An incarnation that has no process any more. */
export interface DeadMember {
  member: string;
  incarnation: string;
  /** Reaped: this very kernel has closed its sockets. After a reset nobody has, and the platforms may hold them as after a silence. */
  why: "reaped" | "timeout";
}

const bootFile = "/proc/sys/kernel/random/boot_id";

/**
 * Which process is which incarnation, kept in `members.json` of the data folder for the supervisor that starts after this one was killed, or after the host
 * lost its power: incarnations whose process is gone are certainly dead, and nobody needs to wait 20 s for their lease.
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

  /** The last incarnation of a member wins. Never throws: without the note (a full disk) a lease has to run out, and nothing else. */
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
      this.log.warn(
        { err: error, member: entry.member },
        "members could not be noted: after a kill of this supervisor their leases have to run out",
      );
    }
  }

  /**
   * Incarnations of an earlier start that have no process any more. A process id that somebody else has by now only means that the lease has to run out; of another host's processes,
   * whose folder has come here, nothing is known. */
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
      return []; // Not JSON: leases run out all the same.
    }
  }
}

function currentBoot(): string | undefined {
  try {
    return readFileSync(bootFile, "utf8").trim();
  } catch {
    return undefined; // No Linux.
  }
}
