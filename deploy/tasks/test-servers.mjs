import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { inDebian, vitestIn } from "../setup/test-in-debian.mjs";

// `npm run test:servers -- <arguments of vitest>`: runs the tests that use a Redis of their own, above all users and topologies, with
// Redis 8 and Valkey of a Debian 13.
const suites = [
  "test/unit/deploy/manifests/redis",
  "test/unit/shared",
  "test/unit/shard/session",
  "test/unit/shard/bus",
  "test/unit/router/tenant",
  "test/cluster/key-rotation.test.ts",
  "test/cluster/stored-keys.test.ts",
  "test/redis",
];
const servers = ["redis-server", "valkey-server"];

const given = process.argv.slice(2);
const args = given.some((argument) => !argument.startsWith("-")) ? given : [...suites, ...given];
await inDebian(async (inside) => {
  let worst = 0;
  for (const server of servers) {
    // Programs use the first server on the search path, so this folder contains only one.
    const folder = `opt/${server}`;
    rmSync(join(inside, folder), { recursive: true, force: true });
    mkdirSync(join(inside, folder), { recursive: true });
    for (const program of [server, "openssl"]) symlinkSync(`/usr/bin/${program}`, join(inside, folder, program));
    console.log(`on ${server}:`);
    worst = Math.max(worst, await vitestIn(inside, args, { PATH: `/opt/node/bin:/${folder}` }));
  }
  return worst;
});
