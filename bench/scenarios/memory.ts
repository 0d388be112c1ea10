import type { Chart, LineSeries } from "../chart/chart.js";
import type { Figure } from "../figure.js";
import { growth } from "../memory/growth.js";
import { MemoryWatch, type MemorySample } from "../memory/memory-watch.js";
import type { ProcessMemory } from "../memory/process-memory.js";
import type { Scenario } from "../scenario.js";
import { MixedLoad } from "../watch/mixed-load.js";

/** Measures whether memory levels off under steady load: the curve of every process, and the names of gauges that still grow at the end. */
export const memory: Scenario = {
  name: "memory",
  about: "memory of every process over two hours of steady mixed load",
  bars: ["shard-1", "shard-2", "router-1", "router-2", "supervisor"].map((name) => ({
    name: grownOf(name),
    unit: "",
    limit: { atMost: 1.05 },
  })),
  quick: "15 s, too short to tell anything but that it runs",
  gateway: { routers: 2, shards: 2 },
  async run(gateway, _load, signal, size) {
    const { seconds, everyMs } = sizes[size];
    const load = await MixedLoad.start(gateway, signal);
    try {
      const watch = await MemoryWatch.open(gateway);
      try {
        const kindsBefore = await watch.keyKinds();
        const samples = await watch.samples(seconds, everyMs, signal);
        const kindsAfter = await watch.keyKinds();
        const names = Object.keys(samples[0]?.processes ?? {});
        const of = (name: string, read: (one: ProcessMemory) => number): number[] =>
          samples.map(({ processes }) => read(processes[name] ?? { rssBytes: Number.NaN, descriptors: Number.NaN }));
        return {
          figures: [
            ...names.flatMap((name) => processFigures(name, (read) => of(name, read))),
            ...redisFigures(samples),
            ...kindFigures(kindsBefore, kindsAfter),
            ...gaugeFigures(samples),
          ],
          values: Object.fromEntries(
            names
              .filter((name) => name !== "sandbox")
              .map((name) => [
                grownOf(name),
                ratio(
                  growth(
                    of(name, ({ rssBytes }) => rssBytes),
                    fromShare,
                  ),
                ),
              ]),
          ),
          charts: [
            chart("resident memory", samples, names, (name) => of(name, ({ rssBytes }) => rssBytes)),
            chart(
              "JavaScript heap in use",
              samples,
              names.filter((name) => name !== "sandbox"),
              (name) => of(name, ({ heapBytes = Number.NaN }) => heapBytes),
            ),
            chart(
              "memory outside of the heap",
              samples,
              names.filter((name) => name !== "sandbox"),
              (name) => of(name, ({ externalBytes = Number.NaN }) => externalBytes),
            ),
            chart("memory that Redis uses", samples, Object.keys(samples[0]?.redis ?? {}), (name) =>
              samples.map(({ redis }) => redis[name] ?? Number.NaN),
            ),
          ],
          notes: [
            `${samples.length} samples in ${Math.round(seconds / 60)} minutes`,
            "growth compares the median of the last sixth with that of the sixth in the middle: caches have filled by then",
            ...load.failed().map((failure) => `requests failed ${failure}`),
          ],
        };
      } finally {
        watch.close();
      }
    } finally {
      await load.stop();
    }
  },
};

const sizes = { full: { seconds: 7_200, everyMs: 15_000 }, quick: { seconds: 15, everyMs: 500 } };
/** Start of the window that is compared with the end. */
const fromShare = 0.42;
const mib = 1024 * 1024;
/** A gauge is listed when it has grown by this factor. */
const grownGauge = 1.1;

function grownOf(name: string): string {
  return `resident memory at the end by that of the middle: ${name}`;
}

function ratio({ before, after }: { readonly before: number; readonly after: number }): number {
  return after / before;
}

function processFigures(name: string, of: (read: (one: ProcessMemory) => number) => number[]): Figure[] {
  const kinds: readonly { what: string; unit: string; by: number; read: (one: ProcessMemory) => number }[] = [
    { what: "resident memory", unit: "MiB", by: mib, read: ({ rssBytes }) => rssBytes },
    { what: "JavaScript heap in use", unit: "MiB", by: mib, read: ({ heapBytes = Number.NaN }) => heapBytes },
    { what: "memory outside of the heap", unit: "MiB", by: mib, read: ({ externalBytes = Number.NaN }) => externalBytes },
    { what: "descriptors", unit: "", by: 1, read: ({ descriptors }) => descriptors },
  ];
  return kinds.flatMap(({ what, unit, by, read }) => {
    const values = of(read);
    if (!values.every(Number.isFinite)) return [];
    const { before, after } = growth(values, fromShare);
    return [
      {
        what: `${name}: ${what}`,
        unit,
        value: after / by,
        how: `in the last sixth; ${(before / by).toFixed(1)} in the middle, ${((values[0] ?? 0) / by).toFixed(1)} at the start`,
      },
    ];
  });
}

function redisFigures(samples: readonly MemorySample[]): Figure[] {
  return Object.keys(samples[0]?.redis ?? {}).map((name) => {
    const { before, after } = growth(
      samples.map(({ redis }) => redis[name] ?? Number.NaN),
      fromShare,
    );
    return {
      what: `${name}: used_memory`,
      unit: "MiB",
      value: after / mib,
      how: `in the last sixth; ${(before / mib).toFixed(1)} in the middle`,
    };
  });
}

/** Returns the key kinds of `shared/redis/keys.ts` that use most memory at the end. */
function kindFigures(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Figure[] {
  const most = [...after].sort(([, a], [, b]) => b - a).slice(0, 10);
  return most.map(([kind, bytes]) => ({
    what: `Redis of sessions: keys ${kind}`,
    unit: "MiB",
    value: bytes / mib,
    how: `MEMORY USAGE of all keys of this kind at the end; ${((before.get(kind) ?? 0) / mib).toFixed(2)} at the start`,
  }));
}

function gaugeFigures(samples: readonly MemorySample[]): Figure[] {
  const names = Object.keys(samples[0]?.gauges ?? {});
  return names.flatMap((name) => {
    const { before, after } = growth(
      samples.map(({ gauges }) => gauges[name] ?? 0),
      fromShare,
    );
    return after > before * grownGauge && after > before + 1
      ? [{ what: `grown: ${name}`, unit: "", value: after, how: `in the last sixth; ${before} in the middle` }]
      : [];
  });
}

function chart(title: string, samples: readonly MemorySample[], names: readonly string[], of: (name: string) => number[]): Chart {
  const series = names.map(
    (name): LineSeries => ({ name, points: of(name).map((value, index) => [samples[index]?.at ?? 0, value / mib]) }),
  );
  return { kind: "lines", title, unit: "MiB", x: "time", series };
}
