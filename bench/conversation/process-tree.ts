import { readFile } from "node:fs/promises";
import { childrenOf, cpuSeconds } from "../process-cpu.js";

/** What a group of processes has used. */
export interface TreeUsage {
  /** CPU seconds of all processes but Redis. */
  readonly ownCpuSeconds: number;
  readonly redisCpuSeconds: number;
  /** Proportional set sizes, so that shared pages count once. */
  readonly ownBytes: number;
  readonly redisBytes: number;
  /** Number of processes without Redis. */
  readonly processes: number;
}

/** Reads a process and all its descendants from `/proc`, without those whose command line contains `without`. */
export async function treeUsage(root: number, without?: string): Promise<TreeUsage> {
  const sum = { ownCpuSeconds: 0, redisCpuSeconds: 0, ownBytes: 0, redisBytes: 0, processes: 0 };
  for (const pid of await descendants(root)) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command === "" || (without !== undefined && command.includes(without))) continue;
    const used = await usageOf(pid);
    if (command.startsWith("redis-server") || command.includes("/redis-server")) {
      sum.redisCpuSeconds += used.cpuSeconds;
      sum.redisBytes += used.bytes;
    } else {
      sum.ownCpuSeconds += used.cpuSeconds;
      sum.ownBytes += used.bytes;
      sum.processes += 1;
    }
  }
  return sum;
}

/** Reads a gateway's processes without its sandbox. */
export function gatewayTree(supervisor: number): Promise<TreeUsage> {
  return treeUsage(supervisor, "sandbox/main.js");
}

/** Returns the memory of all processes and Redis; `NaN` without a reading. */
export function mebibytes(usage: TreeUsage | undefined): number {
  return usage === undefined ? Number.NaN : (usage.ownBytes + usage.redisBytes) / 1024 ** 2;
}

async function descendants(pid: number): Promise<number[]> {
  const children = await childrenOf(pid).catch(() => []); // It may have just ended.
  return [pid, ...(await Promise.all(children.map(descendants))).flat()];
}

async function usageOf(pid: number): Promise<{ cpuSeconds: number; bytes: number }> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => ""); // It may have just ended.
  return { cpuSeconds: await cpuSeconds(pid), bytes: Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024 };
}
