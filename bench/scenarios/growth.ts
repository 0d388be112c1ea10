import type { Figure } from "../figure.js";
import { balanceOf, movedByJoin, timeOfChange } from "../growth/changes.js";
import { hostedMembers } from "../growth/hosts.js";
import { loseHost } from "../growth/lose-host.js";
import { measureMembership } from "../growth/membership-load.js";
import { spreadSessions } from "../growth/spread-sessions.js";
import { quantile } from "../quantile.js";
import type { Scenario } from "../scenario.js";

const sizes = [10, 100, 1_000] as const;
const perHost = 5;
const routers = 10;
const sessionsOfShard = 1_000;
/** The shard's own limits. A connect of half a second is typical for both platforms over a distance. */
const pace = { inProgress: 20, perSecond: 50, connectMs: 500 };
const drops = { telegram: 45_000, whatsapp: 3_000 };

/**
 * Measures costs that grow with the number of shards: placement, the watch over the members, and the loss of a host in virtual time. Sends
 * no requests to its gateway.
 */
export const growth: Scenario = {
  name: "growth",
  about: "placement, membership and the loss of a host among 10, 100 and 1,000 shards",
  quick: "the watch over the members for 3 s, not 10",
  gateway: { routers: 1, shards: 1 },
  async run(_gateway, _load, signal, size) {
    const seconds = { full: 10, quick: 3 }[size];
    const figures: Figure[] = [];
    // Warms up, so that no measurement includes compilation.
    for (const change of ["first", "joins"] as const) timeOfChange(hostedMembers(100, perHost), change);
    for (const shards of sizes) {
      figures.push(...placementFigures(shards));
      const { commands, bytes, redisMs } = await measureMembership(shards, seconds, signal);
      const of = `${shards} shards and ${routers} routers`;
      const all = shards + routers;
      const how = `10 real watches on a real Redis with the beats of ${shards} members, ${seconds} s, times ${all} / 10`;
      figures.push(
        { what: `commands of the watch over the members, ${of}`, unit: "/s", value: commands * all, how },
        { what: `bytes of the watch, ${of}`, unit: "MB/s", value: (bytes * all) / 1e6, how },
        { what: `Redis' time for the watch, ${of}`, unit: "ms/s", value: redisMs * all, how },
      );
      figures.push(...lossFigures(shards));
    }
    return { figures, notes: [`hosts of ${perHost} shards; ${sessionsOfShard} sessions a shard in the simulation`] };
  },
};

function placementFigures(shards: number): Figure[] {
  const members = hostedMembers(shards, perHost);
  const balance = balanceOf(members);
  const moved = movedByJoin(members);
  const times = (["joins", "leaves", "first"] as const).map((change) => ({ change, ...timeOfChange(members, change) }));
  return [
    ...times.map(({ change, ms, longestStepMs }) => ({
      what: {
        joins: `placement when a shard joins, ${shards}`,
        leaves: `placement when one leaves, ${shards}`,
        first: `first placement, ${shards}`,
      }[change],
      unit: "ms",
      value: ms,
      how: `CPU time; in steps of ${longestStepMs.toFixed(2)} ms at most, and the event loop has its turn every 2 ms`,
    })),
    { what: `slots of the emptiest of ${shards}`, unit: "", value: balance.least, how: "" },
    { what: `slots of the fullest of ${shards}`, unit: "", value: balance.most, how: "" },
    {
      what: `slots that move when shard ${shards} joins`,
      unit: "%",
      value: moved.share * 100,
      how: `${(moved.ideal * 100).toFixed(2)} % is the least possible`,
    },
  ];
}

function lossFigures(shards: number): Figure[] {
  const members = hostedMembers(shards, perHost);
  const sessions = spreadSessions(shards * sessionsOfShard);
  return (["whatsapp", "telegram"] as const).flatMap((platform) => {
    const outcome = loseHost({ members, host: "host-1", sessions, dropMs: drops[platform], pace });
    const seconds = (q: number): number => quantile([...outcome.connectedAt], q) / 1_000;
    const how = `virtual time: ${outcome.sessions} sessions of ${outcome.slots} slots, taken by ${outcome.takers} shards; ${outcome.movedBesides} slots of others move besides`;
    return [
      { what: `loss of one of ${shards / perHost} hosts, half of its ${platform} sessions back`, unit: "s", value: seconds(0.5), how },
      { what: `likewise, 99 % of them`, unit: "s", value: seconds(0.99), how },
    ];
  });
}
