import { setTimeout as sleep } from "node:timers/promises";
import { createSession, type Caller } from "../../test/harness/api.js";
import { eventually } from "../../test/harness/eventually.js";
import { control } from "../sandbox-control.js";
import type { Scenario } from "../scenario.js";
import { ShardProbe } from "../shard/shard-probe.js";

/**
 * Measures the cost of a first login (registration, QR code, scan, restart of the connection, 812 prekeys, address book) and of a re-login
 * after a lost connection or a restarted shard. One at a time.
 */
export const whatsappLogin: Scenario = {
  name: "whatsapp-login",
  about: "first logins by QR, and logins again after lost connections and a restart, one shard",
  quick: "8 logins",
  gateway: { shards: 1 },
  async run(gateway, _load, signal, size) {
    const count = logins[size];
    const probe = new ShardProbe(gateway);
    const atStart = await probe.usage();
    const first = { untilQr: [] as number[], fromScan: [] as number[], cpu: [] as number[] };
    const callers: { account: string; caller: Caller }[] = [];
    for (let n = 0; n < count; n++) {
      signal.throwIfAborted();
      const account = `login-${n}`;
      await control(gateway, "whatsapp", "/accounts", { account, contacts });
      const before = await probe.usage();
      const startedAt = performance.now();
      const caller = await createSession(gateway, "whatsapp");
      const qrcode = await eventually("a qrcode", async () => (await caller.record()).qrcode, waitMs);
      first.untilQr.push(performance.now() - startedAt);
      const scannedAt = performance.now();
      const scanned = await caller.phone("/phone/scan", { platform: "whatsapp", account, qrcode });
      if (scanned.status !== 200) throw new Error(`scan: ${scanned.status} ${JSON.stringify(scanned.body)}`);
      await eventually(`${account} connected`, async () => (await caller.record()).isConnected, waitMs);
      first.fromScan.push(performance.now() - scannedAt);
      await sleep(settleMs, undefined, { signal });
      first.cpu.push(((await probe.usage()).cpuSeconds - before.cpuSeconds) * 1000);
      callers.push({ account, caller });
    }

    const again = { wall: [] as number[], cpu: [] as number[] };
    for (const { account, caller } of callers) {
      signal.throwIfAborted();
      const before = await probe.usage();
      const droppedAt = performance.now();
      await control(gateway, "whatsapp", "/faults", { account, kind: "drop" });
      await eventually(`${account} lost`, async () => !(await caller.record()).isConnected, waitMs);
      await eventually(`${account} connected again`, async () => (await caller.record()).isConnected, waitMs);
      again.wall.push(performance.now() - droppedAt);
      await sleep(settleMs, undefined, { signal });
      again.cpu.push(((await probe.usage()).cpuSeconds - before.cpuSeconds) * 1000);
    }

    const idle = await probe.usage();
    await sleep(idleMs, undefined, { signal });
    const idled = await probe.usage();
    const idleCpuMs = ((idled.cpuSeconds - idle.cpuSeconds) * 1000 * settleMs) / idleMs;

    const restartedAt = await probe.restart();
    await eventually(
      "all connected",
      async () => (await Promise.all(callers.map(({ caller }) => caller.record()))).every(({ isConnected }) => isConnected),
      90_000,
    );
    const restartMs = performance.now() - restartedAt;
    const restarted = await probe.usage();
    return {
      figures: [
        {
          what: "POST /session until the QR is there",
          unit: "ms",
          value: { samples: first.untilQr },
          how: "wall, at the caller; rendered in the shard's render process",
        },
        {
          what: "scan until connected",
          unit: "ms",
          value: { samples: first.fromScan },
          how: "wall, at the caller: pairing, restart of the connection, login",
        },
        {
          what: "shard CPU of a first login",
          unit: "CPU ms",
          value: { samples: first.cpu },
          how: `from POST /session until ${settleMs / 1000} s after connected: prekeys and an address book of ${contacts} are in it, the render process is not`,
        },
        {
          what: "drop until connected again",
          unit: "ms",
          value: { samples: again.wall },
          how: "wall; a random pause of up to 1 s before the new connection is in it",
        },
        {
          what: "shard CPU of a login after a drop",
          unit: "CPU ms",
          value: { samples: again.cpu },
          how: `from the drop until ${settleMs / 1000} s after connected again`,
        },
        {
          what: "restarted shard until all are connected",
          unit: "ms",
          value: restartMs,
          how: `${count} sessions, from the new process's first sign`,
        },
        {
          what: "shard CPU of a login after a restart",
          unit: "CPU ms",
          value: ((restarted.cpuSeconds - atStart.cpuSeconds) * 1000) / count,
          how: `mean over ${count}: CPU of the new process until all are connected, less ${(atStart.cpuSeconds * 1000).toFixed(0)} ms of a shard that starts without sessions`,
        },
        {
          what: "idling in the same span",
          unit: "CPU ms",
          value: idleCpuMs,
          how: `what ${count} idle sessions and the shard itself take in ${settleMs / 1000} s: in the CPU figures above, and not of the login`,
        },
      ],
      notes: [`${count} logins one after the other, sandbox not in load mode`],
    };
  },
};

const logins = { full: 30, quick: 8 };
const contacts = 30;
const waitMs = 30_000;
/** Prekeys and the address book arrive after the login. */
const settleMs = 1_000;
const idleMs = 5_000;
