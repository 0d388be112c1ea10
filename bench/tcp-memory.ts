import { readFile } from "node:fs/promises";

/**
 * Returns a sentence when the kernel cannot buffer this many stalled connections. Above the second limit of `tcp_mem` it reclaims buffers,
 * so the kernel would be measured (Linux, `tcp(7)`).
 */
export async function lacksTcpMemory(connections: number): Promise<string | undefined> {
  const [, pressure = 0] = await numbersOf("/proc/sys/net/ipv4/tcp_mem");
  const [, , sendMost = 0] = await numbersOf("/proc/sys/net/ipv4/tcp_wmem");
  if (pressure === 0 || connections * sendMost <= pressure * pageBytes) return undefined;
  return `the kernel may buffer ${sendMost} bytes for each of ${connections} connections, which is more than its tcp_mem; in a network of its own it takes less: ${inOwnNetwork}`;
}

const pageBytes = 4096;
const inOwnNetwork = `unshare -n sh -c 'ip link set lo up && sysctl -qw net.ipv4.tcp_wmem="4096 16384 262144" && npm run bench -- media-slow-readers'`;

async function numbersOf(file: string): Promise<number[]> {
  // Without Linux the limits are unknown, so nothing is reported.
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trim().split(/\s+/).map(Number);
}
