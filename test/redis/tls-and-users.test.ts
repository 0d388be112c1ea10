import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, it } from "vitest";
import { makeCertificates } from "../harness/certificates.js";
import { claimPorts, type ClaimedPorts } from "../harness/claimed-ports.js";
import { startRedisNode, type RedisNode } from "../harness/redis-node.js";
import { GatewayOn } from "./gateway-on.js";

/** Runs the gateway on a Redis that accepts only TLS, requires client certificates, and has a user with a password. */
let folder: string;
let ports: ClaimedPorts;
let redis: RedisNode;
let gateway: GatewayOn;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tl-tls-"));
  ports = await claimPorts();
  const { ca, caFile, server, client } = makeCertificates(folder);
  redis = await startRedisNode({
    port: ports.first,
    config: [
      `tls-ca-cert-file ${caFile}`,
      `tls-cert-file ${server.certFile}`,
      `tls-key-file ${server.keyFile}`,
      "tls-auth-clients yes",
      "user default on >operator ~* &* +@all",
      "user gateway on >a:b@c ~* &* +@all",
    ],
    client: { password: "operator", tls: { ca, cert: client.cert, key: client.key } },
  });
  gateway = await GatewayOn.start({
    REDIS_URL: `rediss://127.0.0.1:${ports.first}`,
    REDIS_USERNAME: "gateway",
    REDIS_PASSWORD: "a:b@c",
    REDIS_TLS_CA_FILE: caFile,
    REDIS_TLS_CERT_FILE: client.certFile,
    REDIS_TLS_KEY_FILE: client.keyFile,
  });
});
afterAll(async () => {
  await gateway.stop();
  await redis.stop();
  ports.release();
  rmSync(folder, { recursive: true });
});

it("lives a day, and forgets sessions that are deleted", async () => {
  await gateway.liveOneDay();
  await gateway.deleteSessions();
});
