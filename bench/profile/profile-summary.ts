import { basename } from "node:path";
import typia from "typia";

/** Where a process spent its time, by share of the samples. */
export interface ProfileSummary {
  readonly what: string;
  /** Seconds under the profiler, and how many of them the thread was busy. */
  readonly seconds: number;
  readonly busySeconds: number;
  /** Largest first. Shares of the busy time, from 0 to 1. */
  readonly modules: readonly ProfileShare[];
  readonly functions: readonly ProfileShare[];
}

export interface ProfileShare {
  readonly where: string;
  readonly share: number;
}

/** The format of V8's sampling profiler: `--cpu-prof`, or `Profiler.stop` of the inspector. Times are in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number; readonly columnNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export const isCpuProfile = typia.createAssert<CpuProfile>();

const rowsMost = 12;
/** Smaller shares are noise. */
const leastShare = 0.01;

/** Summarizes self times: each sample counts for the function on top of the stack. `what` describes process and work. */
export function summarizeProfile(what: string, { nodes, samples, timeDeltas }: CpuProfile): ProfileSummary {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const modules = new Map<string, number>();
  const functions = new Map<string, number>();
  let [all, busy] = [0, 0];
  for (const [index, id] of samples.entries()) {
    const micros = timeDeltas[index] ?? 0;
    const frame = byId.get(id);
    all += micros;
    if (frame === undefined || frame.functionName === "(idle)") continue;
    busy += micros;
    const module = moduleOf(frame.url, frame.functionName);
    modules.set(module, (modules.get(module) ?? 0) + micros);
    const name =
      frame.url === "" ? frame.functionName : `${frame.functionName || "(anonymous)"} ${basename(frame.url)}:${frame.lineNumber + 1}`;
    functions.set(name, (functions.get(name) ?? 0) + micros);
  }
  return { what, seconds: all / 1e6, busySeconds: busy / 1e6, modules: shares(modules, busy), functions: shares(functions, busy) };
}

function shares(micros: ReadonlyMap<string, number>, busy: number): ProfileShare[] {
  return [...micros]
    .map(([where, time]) => ({ where, share: busy === 0 ? 0 : time / busy }))
    .filter(({ share }) => share >= leastShare)
    .sort((a, b) => b.share - a.share)
    .slice(0, rowsMost);
}

/** Returns a package, a folder of this repository, or a group without a file: native code or the garbage collector. */
function moduleOf(url: string, functionName: string): string {
  if (url === "") return functionName.startsWith("(") ? functionName : "native code";
  if (url.startsWith("node:")) return "Node";
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (name !== undefined) return name;
  const [, folder] = /\/dist\/(.+)\/[^/]+$/.exec(url) ?? [];
  return folder ?? (url.startsWith("wasm:") ? "WebAssembly" : basename(url));
}
