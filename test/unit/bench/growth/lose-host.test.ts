import { describe, expect, it } from "vitest";
import { hostedMembers } from "../../../../bench/growth/hosts.js";
import { loseHost } from "../../../../bench/growth/lose-host.js";
import { spreadSessions } from "../../../../bench/growth/spread-sessions.js";
import { defaultClusterTiming } from "../../../../shared/cluster/cluster-timing.js";

const pace = { inProgress: 20, perSecond: 50, connectMs: 500 };

describe("loseHost", () => {
  it.each([
    [8, 4],
    [40, 4],
    [1_000, 4],
  ])("brings every session of a lost host back once, of %i members with %i on each host", (count, perHost) => {
    const members = hostedMembers(count, perHost);
    const sessions = spreadSessions(20_000);
    const { buriedAt, connectedAt, slots, takers } = loseHost({ members, host: "host-1", sessions, dropMs: 3_000, pace });
    expect(buriedAt).toHaveLength(perHost);
    expect(Math.min(...buriedAt)).toBeGreaterThan(defaultClusterTiming.deathMs - 3_000);
    expect(Math.max(...buriedAt)).toBeLessThanOrEqual(defaultClusterTiming.deathMs);
    expect(slots).toBeGreaterThan(0);
    expect(takers).toBeLessThanOrEqual(count - perHost);
    // The share of sessions that reconnect equals the host's share of members, apart from the spread of random ids.
    expect(connectedAt.length / 20_000 / (perHost / count)).toBeGreaterThan(0.7);
    expect(connectedAt.length / 20_000 / (perHost / count)).toBeLessThan(1.3);
    expect(connectedAt[0]).toBeGreaterThan(Math.min(...buriedAt) + 3_000);
  });
  it("loses nothing with a host that is not there", () => {
    const outcome = loseHost({ members: hostedMembers(4, 2), host: "host-9", sessions: spreadSessions(100), dropMs: 0, pace });
    expect(outcome).toEqual({ buriedAt: [], slots: 0, sessions: 0, movedBesides: 0, connectedAt: [], takers: 0 });
  });
});

describe("spreadSessions", () => {
  it("gives each session one slot, the same at every run", () => {
    const counts = spreadSessions(10_000);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(spreadSessions(10_000)).toEqual(counts);
  });
});
