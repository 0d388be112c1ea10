import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import typia from "typia";
import { isAlive } from "./is-alive.js";

interface Entry {
  member: string;
  incarnation: string;
  pid: number;
  /** Of a record of before this was noted: absent. */
  host?: string;
}

/**
 * Which process is which incarnation, kept in `members.json` of the data folder for the supervisor that starts after this one was killed, or after the host
 * lost its power: incarnations whose process is gone are certainly dead, and nobody needs to wait 20 s for their lease.
 */
export class MemberRecord {
  private readonly file: string;
  private readonly entries = new Map<string, Entry>();

  constructor(dataDir: string, private readonly host?: string) {
    this.file = join(dataDir, "members.json");
  }

  /** The last incarnation of a member wins. */
  write(entry: Omit<Entry, "host">): void {
    this.entries.set(entry.member, this.host === undefined ? entry : { ...entry, host: this.host });
    writeFileSync(`${this.file}.new`, JSON.stringify([...this.entries.values()]));
    renameSync(`${this.file}.new`, this.file);
  }

  /**
   * Incarnations of an earlier start that have no process any more. A process id that somebody else has by now only means that the lease has to run out; of another host's processes,
   * whose folder has come here, nothing is known. */
  readDead(): Entry[] {
    return this.read().filter(({ pid, host }) => (host === undefined || host === this.host) && !isAlive(pid));
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
