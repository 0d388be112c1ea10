import { setTimeout as sleep } from "node:timers/promises";
import type { Figure } from "../figure.js";
import type { LoadGenerator } from "../load/load-generator.js";
import type { LoadPlan, LoadResult } from "../load/plan.js";
import { mebibytes, type TreeUsage } from "./process-tree.js";
import type { Side } from "./side.js";

export interface ConversationSize {
  /** Rounds at saturation. They are short, so that both sides meet a core that is slow for seconds (bench/findings.md). */
  readonly rounds: number;
  readonly seconds: number;
  /** Rounds at each fixed rate. */
  readonly waitRounds: number;
  readonly waitSeconds: number;
  readonly idleMs: number;
}

export const conversationSizes = {
  full: { rounds: 24, seconds: 2, waitRounds: 5, waitSeconds: 8, idleMs: 10_000 },
  quick: { rounds: 8, seconds: 2, waitRounds: 2, waitSeconds: 4, idleMs: 3_000 },
} as const satisfies Record<string, ConversationSize>;

/** Requests in flight at saturation. */
export const inFlight = 16;
/** Texts a second at which waits are compared. */
export const fixedRates = [20, 100, 200] as const;

/** Results of one side, a value for each round. */
interface Measured {
  readonly perSecond: number[];
  readonly ownCpuMs: number[];
  readonly redisCpuMs: number[];
  readonly p50Ms: number[];
  readonly p99Ms: number[];
  readonly atRate: ReadonlyMap<number, { readonly p50Ms: number[]; readonly p99Ms: number[] }>;
  readonly linkedMiB: number;
  readonly loadedMiB: number;
  readonly idleShare: number;
  readonly redisIdleShare: number;
  readonly processes: number;
}

export interface ConversationRun {
  readonly load: LoadGenerator;
  readonly sides: readonly [ours: Side, bare: Side];
  readonly size: ConversationSize;
  readonly signal: AbortSignal;
}

/** Measures both sides in turns. */
export async function measureConversation({ load, sides, size, signal }: ConversationRun): Promise<readonly [Measured, Measured]> {
  const begun = await Promise.all(sides.map((side) => atRest(side, size.idleMs, signal)));
  for (const side of sides) await load.run({ ...planOf(side), connections: inFlight, seconds: warmUpSeconds });
  const both = sides.map((side) => ({
    side,
    of: {
      perSecond: [] as number[],
      ownCpuMs: [] as number[],
      redisCpuMs: [] as number[],
      p50Ms: [] as number[],
      p99Ms: [] as number[],
      atRate: new Map(fixedRates.map((rate) => [rate as number, { p50Ms: [] as number[], p99Ms: [] as number[] }])),
    },
  }));
  for (let round = 0; round < size.rounds; round++) {
    for (const { side, of } of inTurns(round, both)) {
      signal.throwIfAborted();
      const { result, used } = await costOf(load, side, size.seconds);
      of.perSecond.push(result.requestsPerSecond);
      of.p50Ms.push(result.p50Ms);
      of.p99Ms.push(result.p99Ms);
      of.ownCpuMs.push((used.ownCpuSeconds * 1_000) / result.requests);
      of.redisCpuMs.push((used.redisCpuSeconds * 1_000) / result.requests);
    }
  }
  for (let round = 0; round < size.waitRounds; round++) {
    for (const { side, of } of inTurns(round, both)) {
      for (const [ratePerSecond, waits] of of.atRate) {
        await sleep(settleMs, undefined, { signal });
        const plan = { ...planOf(side), connections: side.lanes.length, seconds: size.waitSeconds, ratePerSecond };
        const { p50Ms, p99Ms } = await load.run(plan);
        waits.p50Ms.push(p50Ms);
        waits.p99Ms.push(p99Ms);
      }
    }
  }
  const ended = await Promise.all(sides.map((side) => side.usage()));
  const measured = both.map(({ of }, at) => ({
    ...of,
    linkedMiB: mebibytes(begun[at]?.usage),
    loadedMiB: mebibytes(ended[at]),
    idleShare: begun[at]?.ownShare ?? Number.NaN,
    redisIdleShare: begun[at]?.redisShare ?? Number.NaN,
    processes: ended[at]?.processes ?? 0,
  }));
  const [ours, bare] = measured;
  if (ours === undefined || bare === undefined) throw new Error("a side is missing");
  return [ours, bare];
}

/** Another side begins in each round. */
function inTurns<Of>(round: number, both: readonly Of[]): readonly Of[] {
  return round % 2 === 0 ? both : [...both].reverse();
}

/** CPU of everything for one text at saturation, Redis included. */
export function wholeCpuMs({ ownCpuMs, redisCpuMs }: Measured): number[] {
  return ownCpuMs.map((own, round) => own + (redisCpuMs[round] ?? 0));
}

export function ratios(ours: readonly number[], bare: readonly number[]): number[] {
  return ours.map((value, round) => value / (bare[round] ?? Number.NaN));
}

export function conversationFigures(name: string, of: Measured, size: ConversationSize): Figure[] {
  const { rounds, seconds, idleMs } = size;
  const saturated = `${rounds} rounds of ${seconds} s, ${inFlight} requests in flight`;
  const openLoop = `open loop, from the moment the request was due, ${size.waitRounds} rounds of ${size.waitSeconds} s`;
  const row = (what: string, unit: string, value: number | readonly number[], how: string): Figure => ({
    what: `${name}: ${what}`,
    unit,
    value: typeof value === "number" ? value : { rounds: value },
    how,
  });
  return [
    row("texts", "1/s", of.perSecond, saturated),
    row("CPU of a text, sent and received", "CPU ms", of.ownCpuMs, `${of.processes} processes without Redis, ${saturated}`),
    row("CPU of a text in Redis", "CPU ms", of.redisCpuMs, saturated),
    row("p50", "ms", of.p50Ms, saturated),
    row("p99", "ms", of.p99Ms, saturated),
    ...[...of.atRate].flatMap(([rate, waits]) => [
      row(`p50 at ${rate} a second`, "ms", waits.p50Ms, openLoop),
      row(`p99 at ${rate} a second`, "ms", waits.p99Ms, openLoop),
    ]),
    row("memory when all are linked", "MiB", of.linkedMiB, "proportional set sizes of all processes and Redis"),
    row("memory after the load", "MiB", of.loadedMiB, "proportional set sizes of all processes and Redis"),
    row("idle CPU", "of a core", of.idleShare, `${idleMs / 1_000} s before the load, without Redis`),
    row("idle CPU of Redis", "of a core", of.redisIdleShare, `${idleMs / 1_000} s before the load`),
  ];
}

/** Both processes have compiled their code by then. */
const warmUpSeconds = 8;
const settleMs = 500;
/** Texts that were accepted at the end of a load are received by then. */
const receivedMs = 1_000;

async function costOf(load: LoadGenerator, side: Side, seconds: number): Promise<{ result: LoadResult; used: CpuUsed }> {
  await sleep(settleMs);
  const before = await side.usage();
  const result = await load.run({ ...planOf(side), connections: inFlight, seconds });
  await sleep(receivedMs);
  return { result, used: cpuBetween(before, await side.usage()) };
}

/** What the load process needs of a side. */
export function planOf({ origin, lanes }: Side): Pick<LoadPlan, "origin" | "lanes"> {
  return { origin, lanes };
}

type CpuUsed = Pick<TreeUsage, "ownCpuSeconds" | "redisCpuSeconds">;

function cpuBetween(from: TreeUsage, to: TreeUsage): CpuUsed {
  return { ownCpuSeconds: to.ownCpuSeconds - from.ownCpuSeconds, redisCpuSeconds: to.redisCpuSeconds - from.redisCpuSeconds };
}

async function atRest(
  side: Side,
  idleMs: number,
  signal: AbortSignal,
): Promise<{ usage: TreeUsage; ownShare: number; redisShare: number }> {
  const before = await side.usage();
  const startedAt = performance.now();
  await sleep(idleMs, undefined, { signal });
  const usage = await side.usage();
  const used = cpuBetween(before, usage);
  const seconds = (performance.now() - startedAt) / 1_000;
  return { usage, ownShare: used.ownCpuSeconds / seconds, redisShare: used.redisCpuSeconds / seconds };
}
