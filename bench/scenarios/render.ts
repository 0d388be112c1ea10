import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../../test/harness/gateway.js";
import { loggedIn, type Caller } from "../../test/harness/api.js";
import { speedRatios, type Comparison, type Measurement, type Round } from "../compare.js";
import type { Figure } from "../figure.js";
import { Renderer } from "../render/renderer.js";
import type { RenderWork } from "../render/render-messages.js";
import { control } from "../sandbox-control.js";
import type { Scenario } from "../scenario.js";
import { ShardProbe } from "../shard/shard-probe.js";

/**
 * Compares the shard's render pool with the same calls of sharp in a plain process, to measure the cost of isolation. Then posts stories
 * through a whole gateway, to check that the shard's event loop is not delayed.
 */
export const render: Scenario = {
  name: "render",
  about: "story text cards and scaled pictures by the shard's render pool, and its event loop meanwhile",
  bars: [
    ...(["text-card", "scale-image"] as const).map((kind) => ({ name: speedOf(kind), unit: "", limit: { atLeast: 0.85 } })),
    ...(["text", "image"] as const).map((type) => ({ name: lagOf(type), unit: "ms", limit: { atMost: 20 } })),
  ],
  quick: "2 rounds of 2 s, stories for 4 s",
  gateway: { shards: 1 },
  async run(gateway, _load, signal, size) {
    const { rounds, seconds, storySeconds } = sizes[size];
    const picture = await pictureOf(gateway);
    // The sandbox's default limit is 100 stories a day, as on the platform.
    await control(gateway, "telegram", "/phone/settings", { account, maxStories: 10_000 });
    const works: readonly RenderWork[] = [
      { kind: "text-card", texts },
      { kind: "scale-image", picture },
    ];
    const folder = join(gateway.dataDir, "bench-fonts");
    const pool = await Renderer.start("pool", folder, signal);
    try {
      const bare = await Renderer.start("bare", folder, signal);
      try {
        const comparisons: Comparison[] = [];
        for (const work of works) comparisons.push(await besideBare({ pool, bare, work, rounds, seconds }));
        const stories = [await storiesOf(gateway, "text", storySeconds, signal), await storiesOf(gateway, "image", storySeconds, signal)];
        return {
          comparisons,
          figures: stories.flatMap(storyFigures),
          values: Object.fromEntries<number | number[]>([
            ...works.map(
              ({ kind }, index) =>
                [speedOf(kind), speedRatios(comparisons[index] ?? { connections: 0, rounds: [] }, ourName, bareName)] as const,
            ),
            ...stories.map(({ type, lagMs }) => [lagOf(type), lagMs] as const),
          ]),
          notes: [
            `texts of ${texts.map((text) => text.length).join(", ")} characters in turn; a JPEG of ${(picture.length / 1024).toFixed(0)} KiB, 1600 x 1200, to 1080 pixels`,
            "both draw the same bytes; CPU is that of the process and its children",
            "the lag is prom-client's over all of the stories' time; its histogram holds the whole interval of its own timer, 10 ms, so that an idle loop shows 10 to 11",
          ],
        };
      } finally {
        await bare.stop();
      }
    } finally {
      await pool.stop();
    }
  },
};

const ourName = "render pool";
const bareName = "bare sharp";
const sizes = { full: { rounds: 5, seconds: 4, storySeconds: 10 }, quick: { rounds: 2, seconds: 2, storySeconds: 4 } };
/** Two at once keep the pool's queue from running dry. The plain process runs one at a time, as does each thread of the pool. */
const poolInFlight = 2;
const storiesAtOnce = 4;
const account = "alice";
const texts = [
  "Good morning",
  "Open from 9 to 18 today. नमस्ते 👋 你好",
  "A story with a text that is rather long. ".repeat(12).trim(),
  "One line\nand another\n\nand a last one 🎉",
];

function speedOf(kind: RenderWork["kind"]): string {
  return `speed by bare sharp: ${kind === "text-card" ? "story text card" : "image scaling"}`;
}

function lagOf(type: "text" | "image"): string {
  return `event loop's p99 during ${type} stories`;
}

interface Beside {
  readonly pool: Renderer;
  readonly bare: Renderer;
  readonly work: RenderWork;
  readonly rounds: number;
  readonly seconds: number;
}

async function besideBare({ pool, bare, work, rounds, seconds }: Beside): Promise<Comparison> {
  const digests = await Promise.all([pool, bare].map(async (one) => (await one.run(work, 1, warmUpSeconds)).firstDigest));
  if (digests[0] !== digests[1]) throw new Error(`${work.kind}: the pool and bare sharp draw different pictures`);
  const done: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const measured: Record<string, Measurement> = {};
    const sides = [
      { name: ourName, side: pool, inFlight: poolInFlight },
      { name: bareName, side: bare, inFlight: 1 },
    ];
    for (const { name, side, inFlight } of round % 2 === 0 ? sides : sides.reverse()) {
      const { tasks, elapsedSeconds, cpuSeconds, p50Ms, p99Ms, bytes } = await side.run(work, inFlight, seconds);
      measured[name] = {
        requests: tasks,
        requestsPerSecond: tasks / elapsedSeconds,
        bytesPerSecond: bytes / elapsedSeconds,
        p50Ms,
        p99Ms,
        loadCpuShare: 0,
        cpuMicrosPerRequest: (cpuSeconds * 1e6) / tasks,
      };
    }
    done.push(measured);
  }
  return { what: work.kind === "text-card" ? "story text card" : "image scaling", connections: poolInFlight, rounds: done };
}

const warmUpSeconds = 1;

interface Stories {
  readonly type: "text" | "image";
  readonly perSecond: number;
  readonly lagMs: number;
  readonly longestMs: number;
  /** Lag of the same idle shard just before. */
  readonly quietLagMs: number;
}

/** Several sessions post stories one after the other: draw or scale, upload, post. */
async function storiesOf(gateway: Gateway, type: "text" | "image", seconds: number, signal: AbortSignal): Promise<Stories> {
  const callers = await Promise.all(Array.from({ length: storiesAtOnce }, () => loggedIn(gateway, account)));
  const probe = new ShardProbe(gateway);
  const body = (n: number): object =>
    type === "text"
      ? { type, text: texts[n % texts.length] }
      : { type, image: { url: `${gateway.sandbox}/files/photo.jpg`, mimetype: "image/jpeg" } };
  await Promise.all(callers.map((caller) => post(caller, body(0))));
  // Each reading starts the period of the next one.
  await probe.usage();
  await sleep(seconds * 500, undefined, { signal });
  const { p99LagMs: quietLagMs } = await probe.usage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let posted = 0;
  await Promise.all(
    callers.map(async (caller) => {
      for (; performance.now() < endsAt; posted++) await post(caller, body(posted));
    }),
  );
  const { p99LagMs, longestBlockMs } = await probe.usage();
  return { type, perSecond: (posted * 1000) / (performance.now() - startedAt), lagMs: p99LagMs, longestMs: longestBlockMs, quietLagMs };
}

async function post(caller: Caller, body: object): Promise<void> {
  const { status, body: response } = await caller.send("POST", "/status", body);
  if (status !== 200) throw new Error(`POST /status: ${status} ${JSON.stringify(response)}`);
}

function storyFigures({ type, perSecond, longestMs, quietLagMs }: Stories): Figure[] {
  return [
    {
      what: `${type} stories`,
      unit: "1/s",
      value: perSecond,
      how: `POST /status by ${storiesAtOnce} sessions, one after the other each: rendered, uploaded, posted`,
    },
    {
      what: `event loop's p99 before ${type} stories`,
      unit: "ms",
      value: quietLagMs,
      how: "the same shard with nothing to do: what the machine alone makes of it",
    },
    {
      what: `longest block of the event loop during ${type} stories`,
      unit: "ms",
      value: longestMs,
      how: "Node's own histogram in the shard",
    },
  ];
}

async function pictureOf(gateway: Gateway): Promise<Uint8Array> {
  const response = await fetch(`${gateway.sandbox}/files/photo.jpg`, { signal: AbortSignal.timeout(60_000) });
  return new Uint8Array(await response.arrayBuffer());
}
