import { readdir, readFile } from "node:fs/promises";

/** Returns the CPU seconds that a process and its children have used since their start, threads included, from `/proc`. */
export async function processTreeCpuSeconds(pid: number): Promise<number> {
  const children = await childrenOf(pid);
  const all = await Promise.all([pid, ...children].map(cpuSeconds));
  return all.reduce((sum, one) => sum + one, 0);
}

/** The kernel reports hundredths of a second on every architecture that Node supports. */
const ticksPerSecond = 100;

/** Returns the CPU seconds of one process, threads included; 0 if it has ended. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ""); // The process may have just ended.
  // The name in brackets may contain spaces; user and system time are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

/** Returns the children of all threads of a process. Rejects when it has ended. */
export async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")));
  return lists.flatMap((list) =>
    list
      .split(" ")
      .filter((text) => text !== "")
      .map(Number),
  );
}
