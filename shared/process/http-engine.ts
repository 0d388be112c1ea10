import { ConfigError } from "../config/env.js";

/** What decides which build of the HTTP engine, a native module, can be loaded. */
export interface EngineHost {
  readonly platform: string;
  readonly arch: string;
  /** Node's version, such as "24.1.0". */
  readonly node: string;
  /** Version of the GNU C library, undefined where there is none. */
  readonly glibc: string | undefined;
}

export type EnginePackage = "@btc-vision/uwebsockets.js" | "uWebSockets.js";

/** A package's binaries: Node's major versions, and the lowest glibc that they were linked with. */
interface Build {
  readonly name: EnginePackage;
  readonly majors: readonly number[];
  readonly glibc: readonly [number, number];
}

/**
 * The first build that fits is used, the newer engine where it runs. Both are upstream's binaries,
 * republished on the npm registry under other names.
 */
const builds: readonly Build[] = [
  { name: "@btc-vision/uwebsockets.js", majors: [20, 22, 24, 25], glibc: [2, 38] },
  { name: "uWebSockets.js", majors: [20, 22], glibc: [2, 27] },
];
const lowestNode = [20, 19] as const;

/** Which package fits a host; undefined when none does. */
export function enginePackageFor({ platform, arch, node, glibc }: EngineHost): EnginePackage | undefined {
  if (!["linux", "darwin", "win32"].includes(platform) || !["x64", "arm64"].includes(arch) || !isAtLeast(node, lowestNode))
    return undefined;
  const major = Number(node.split(".")[0]);
  return builds.find(
    ({ majors, glibc: lowest }) => majors.includes(major) && (platform !== "linux" || (glibc !== undefined && isAtLeast(glibc, lowest))),
  )?.name;
}

/**
 * Throws a configuration error if the engine cannot run on this host, because a restart would not
 * help. Supervisors of routers and routers call it before they start anything.
 */
export function requireHttpEngine(host = thisHost()): EnginePackage {
  const name = enginePackageFor(host);
  if (name !== undefined) return name;
  const { platform, arch, node, glibc } = host;
  const library = platform === "linux" ? (glibc === undefined ? " without glibc" : ` with glibc ${glibc}`) : "";
  throw new ConfigError([
    `Node ${node} on ${platform} ${arch}${library} cannot run the HTTP engine: Node 20 (20.19 or newer) or 22 with glibc 2.27 or newer can, and so can Node 24 with glibc 2.38 or newer (Debian 13, Ubuntu 24.04)`,
  ]);
}

/** A report begins with a stack. Of its own, Node parses all of the process' source map for it, a tenth of what a router's start costs. */
const noStack: Error = { name: "", message: "", stack: "" };

function thisHost(): EngineHost {
  const report: unknown = process.platform === "linux" ? process.report.getReport(noStack) : undefined;
  return { platform: process.platform, arch: process.arch, node: process.versions.node, glibc: glibcOf(report) };
}

function glibcOf(report: unknown): string | undefined {
  if (typeof report !== "object" || report === null || !("header" in report)) return undefined;
  const { header } = report;
  return typeof header === "object" && header !== null && "glibcVersionRuntime" in header ? String(header.glibcVersionRuntime) : undefined;
}

function isAtLeast(version: string, [lowestMajor, lowestMinor]: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > lowestMajor || (major === lowestMajor && minor >= lowestMinor);
}
