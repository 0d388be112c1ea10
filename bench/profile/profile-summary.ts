import { basename } from "node:path";
import typia from "typia";

/** Where a process spent its time, by share of the samples. */
export interface ProfileSummary {
  readonly what: string;
  /** Seconds under the profiler, and of them those in which the thread did something. */
  readonly seconds: number;
  readonly busySeconds: number;
  /** Largest first; shares of the busy time, 0 to 1. */
  readonly modules: readonly ProfileShare[];
  readonly functions: readonly ProfileShare[];
}

export interface ProfileShare {
  readonly where: string;
  readonly share: number;
}

/** As V8's sampling profiler writes it: `--cpu-prof`, or `Profiler.stop` of the inspector. Microseconds. */
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
/** Less is noise. */
const leastShare = 0.01;

/** Self times: each sample counts for the function on top of the stack. `what` names the process and what it did. */
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

/** A package, a folder of ours, or what belongs to no file: native code, the garbage collector. */
function moduleOf(url: string, functionName: string): string {
  if (url === "") return functionName.startsWith("(") ? functionName : "native code";
  if (url.startsWith("node:")) return "Node";
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (name !== undefined) return name;
  const [, folder] = /\/dist\/(.+)\/[^/]+$/.exec(url) ?? [];
  return folder ?? (url.startsWith("wasm:") ? "WebAssembly" : basename(url));
}
