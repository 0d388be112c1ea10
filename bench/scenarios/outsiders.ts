import { newSessionId, newSessionSecret } from "../../shared/contract/ids.js";
import { loggedIn, type Caller } from "../../test/harness/api.js";
import { eventually } from "../../test/harness/eventually.js";
import type { Gateway } from "../../test/harness/gateway.js";
import type { Figure } from "../figure.js";
import { readMetric } from "../router-target.js";
import type { Scenario } from "../scenario.js";
import { Outsiders, type OutsidersSeen } from "../outsiders/outsiders.js";
import { keepPace } from "../watch/pace.js";

/**
 * Measures how clients fare while outsiders send POST heads without their bodies. The router rejects what the head alone decides at once.
 * Of the other requests, the one that has waited longest is dropped to make room.
 */
export const outsiders: Scenario = {
  name: "outsiders",
  about: "1,000 heads of POST a second whose bodies never come, and what others' GET /session feels of it",
  quick: "1 s of each kind",
  gateway: { shards: 1 },
  async run(gateway, _load, signal, size) {
    const seconds = { full: 8, quick: 1 }[size];
    const caller = await loggedIn(gateway, "alice");
    const outsiders = new Outsiders(signal);
    try {
      const quiet = await callsDuring(caller, () => new Promise((resolve) => setTimeout(resolve, quietMs)));
      const figures = [waits("nobody else there", quiet.others)];
      for (const { whose, from } of addresses) {
        for (const { what, head } of kindsOf(gateway)) {
          signal.throwIfAborted();
          const { others } = await callsDuring(caller, () =>
            outsiders.send({ port: Number(new URL(gateway.telegram[0] ?? "").port), from, head, headsPerSecond, seconds }),
          );
          figures.push(...figuresOf(`${what}, ${whose}`, others, await outsiders.leave()));
          await eventually(
            "no place of the router taken",
            async () => (await readMetric(gateway, "gateway_router_newcomers_requests")) === 0,
          );
        }
      }
      return {
        figures,
        notes: [
          `${headsPerSecond} heads a second for ${seconds} s of each kind, each on a connection of its own that stays open until the router or the end of the kind closes it`,
          `the others are one logged-in session of Telegram that asks ${callsPerSecond} times a second, whether it was answered or not`,
        ],
      };
    } finally {
      await outsiders.stop();
    }
  },
};

const headsPerSecond = 1_000;
const callsPerSecond = 20;
/** The limit keeps the clients from becoming a load of their own. */
const callsAtOnce = 500;
const quietMs = 3_000;

const addresses = [
  { whose: "same address", from: "127.0.0.1" },
  { whose: "another address", from: "127.0.0.2" },
] as const;

function kindsOf(gateway: Gateway): { what: string; head: string }[] {
  const message = `${new URL(gateway.telegram[0] ?? "").pathname}/message`;
  const pair = [`id: ${newSessionId(Date.now())}`, `session-id: ${newSessionSecret()}`];
  const length = "Content-Length: 10";
  return [
    { what: "a path that is not there", head: headOf("/nowhere", [length]) },
    { what: "no credentials", head: headOf(message, [length]) },
    { what: "an unknown pair", head: headOf(message, [...pair, length]) },
    { what: "an unknown pair, chunked", head: headOf(message, [...pair, "Transfer-Encoding: chunked"]) },
  ];
}

function headOf(path: string, headers: readonly string[]): string {
  return [`POST ${path} HTTP/1.1`, "Host: x", ...headers, "", ""].join("\r\n");
}

interface Others {
  /** Latencies of all calls with a response, whatever its status. */
  readonly waitsMs: number[];
  /** Number of calls by status, or by the reason for a missing response. */
  readonly outcomes: Record<string, number>;
}

/** Sends requests at a steady pace during `work`, and waits for the last responses. */
async function callsDuring<T>(caller: Caller, work: () => Promise<T>): Promise<{ result: T; others: Others }> {
  const over = new AbortController();
  const others: Others = { waitsMs: [], outcomes: {} };
  const count = (outcome: string): void => void (others.outcomes[outcome] = (others.outcomes[outcome] ?? 0) + 1);
  const call = async (): Promise<void> => {
    const startedAt = performance.now();
    try {
      const { status } = await caller.get("/session");
      others.waitsMs.push(performance.now() - startedAt);
      count(String(status));
    } catch (error) {
      count(error instanceof Error ? error.message : String(error));
    }
  };
  const calling = keepPace(
    { name: "GET /session", perSecond: callsPerSecond, atOnce: callsAtOnce, task: call },
    () => undefined,
    over.signal,
  );
  try {
    return { result: await work(), others };
  } finally {
    over.abort();
    await calling;
  }
}

function waits(during: string, { waitsMs, outcomes }: Others): Figure {
  return {
    what: `others' wait for GET /session: ${during}`,
    unit: "ms",
    value: { samples: waitsMs },
    how: `by status: ${listed(outcomes)}`,
  };
}

function figuresOf(during: string, others: Others, { headsPerSecond: reached, outcomes, openMost }: OutsidersSeen): Figure[] {
  const calls = Object.values(others.outcomes).reduce((sum, one) => sum + one, 0);
  return [
    waits(during, others),
    { what: `others not answered 200: ${during}`, unit: "", value: calls - (others.outcomes["200"] ?? 0), how: `of ${calls} calls` },
    {
      what: `strangers' heads: ${during}`,
      unit: "1/s",
      value: reached,
      how: `by answer: ${listed(outcomes)}; ${openMost} connections open at most`,
    },
  ];
}

const listed = (outcomes: Readonly<Record<string, number>>): string =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${outcome} × ${count}`)
    .join(", ");
