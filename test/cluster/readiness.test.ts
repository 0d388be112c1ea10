import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { memberPid } from "../harness/member-pid.js";
import { RawClient } from "../harness/raw-client.js";

/** A load balancer relies on readiness: a ready process accepts requests. */
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

it("a router that starts is ready only when it can be reached", async () => {
  const [base = "", admin] = [gateway.telegram[0], gateway.adminPorts[0]];
  for (let life = 0; life < 3; life++) {
    const pid = memberPid(gateway, "router-1") ?? 0;
    process.kill(pid, "SIGKILL");
    let refused = 0;
    // The test polls as fast as possible, because the moment between readiness and listening is short.
    await eventually("ready", async () => {
      for (let n = 0; n < 500; n++) {
        const response = await fetch(`http://127.0.0.1:${admin}/readyz`).catch(() => undefined);
        await response?.arrayBuffer();
        if (response?.ok !== true) continue;
        const client = await RawClient.open(base).catch(() => undefined);
        if (client === undefined) refused += 1;
        client?.close();
        if (client !== undefined) return memberPid(gateway, "router-1") !== pid;
      }
      return false;
    });
    expect(refused).toBe(0);
  }
});
