import { afterAll, beforeAll, expect, it } from "vitest";
import { StoredLogins } from "../../bench/logins/stored-logins.js";
import { request } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";

/** A shard that restores its sessions at startup. Half of the sessions are young, half are a month old. */
const count = 160;
const monthMs = 30 * 86_400_000;
const env = { SANDBOX_LOAD: "1" };
const young = new Set<string>();
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ shards: 1, env });
  const logins = await StoredLogins.open(gateway);
  const wanted = { prefix: "order", from: 0, count, contacts: 0 };
  const stored = await logins.addMade("telegram", wanted, undefined, (number) => Date.now() - (number % 2 === 0 ? monthMs : 0));
  logins.close();
  for (const [number, { id }] of stored.entries()) if (number % 2 === 1) young.add(id);
}, 120_000);
afterAll(() => gateway.stop());

interface Row {
  readonly id: string;
  readonly since: string;
}

/** Restarts the cluster. Resolves with the average number of places by which young sessions connect later than the others. */
async function placesLater(more: Record<string, string>): Promise<number> {
  await gateway.interrupt();
  gateway = await startGateway({ shards: 1, from: gateway, env: { ...env, ...more } });
  const rows = await eventually("all connected", async () => {
    const { body } = await request(`${new URL(gateway.telegram[0] ?? "").origin}/admin/sessions?state=connected&limit=1000`, {
      headers: { "x-api-key": gateway.adminKey },
    });
    const { docs } = body as { docs: Row[] };
    return docs.length === count && docs;
  });
  const ordered = [...rows].sort((one, other) => Date.parse(one.since) - Date.parse(other.since)).map(({ id }) => id);
  const meanPlace = (isOne: (id: string) => boolean): number => {
    const places = ordered.flatMap((id, place) => (isOne(id) ? [place] : []));
    return places.reduce((sum, place) => sum + place, 0) / places.length;
  };
  return meanPlace((id) => young.has(id)) - meanPlace((id) => !young.has(id));
}

/** The result is half of `count` when all young sessions come last, and by chance less than a sixth of that. */
const clearly = count / 4;

it("young sessions come after the others where they count as such, and none does on the sandbox", async () => {
  expect(await placesLater({ YOUNG_DAYS: "14" })).toBeGreaterThan(clearly);
  expect(Math.abs(await placesLater({}))).toBeLessThan(clearly);
}, 240_000);
