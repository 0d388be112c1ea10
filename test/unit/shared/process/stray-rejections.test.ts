import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const dist = fileURLToPath(new URL("../../../../dist/", import.meta.url));

/** Runs a process as `main.ts` does, and breaks something once it is ready. */
async function run(wrong: string): Promise<{ code: number | null; lines: { msg: string; count?: number; err?: { stack?: string } }[] }> {
  const program = `
    import { runProcess } from "${dist}shared/process/run.js";
    import { createLog } from "${dist}shared/log/logger.js";
    import { createRegistry } from "${dist}shared/process/metrics/registry.js";
    const log = createLog({}, "info");
    await runProcess(log, () => {});
    const metric = async () => /stray_rejections_total\\{.*\\} (\\d+)/.exec(await createRegistry("shard", "s").metrics())[1];
    const reject = (count) => { for (let i = 0; i < count; i++) Promise.reject(new Error("stray")); };
    ${wrong}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  const [code] = (await once(child, "close")) as [number | null];
  return {
    code,
    lines: text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { msg: string }),
  };
}

it("end no process: they are logged with their stacks, ten in a minute, and all are counted", async () => {
  const { code, lines } = await run(
    `reject(25); setTimeout(async () => { log.info({ count: Number(await metric()) }, "alive"); process.exit(7); }, 100);`,
  );
  const logged = lines.filter(({ msg }) => msg === "unhandled rejection");
  expect(logged).toHaveLength(10);
  expect(logged[0]?.err?.stack).toContain("reject");
  expect(lines.at(-1)).toMatchObject({ msg: "alive", count: 25 });
  expect(code).toBe(7);
});

it.each([
  ["a timer", "setTimeout(thrower, 0)"],
  ["a listener", 'emitter.on("event", thrower); setTimeout(() => emitter.emit("event"), 0)'],
  ["an emitter without a listener for its errors", 'setTimeout(() => emitter.emit("error", new Error("thrown")), 0)'],
  ["a socket's callback", "net.createServer((socket) => thrower()).listen(0, function () { net.connect(this.address().port); })"],
  [
    "a worker's message",
    `new Worker("require('node:worker_threads').parentPort.postMessage(1)", { eval: true, execArgv: [] }).on("message", thrower)`,
  ],
  ["a microtask", "queueMicrotask(thrower)"],
])("may be an exception of %s: it is logged, and the process goes on", async (_, wrong) => {
  const { code, lines } = await run(`
    const [{ EventEmitter }, net, { Worker }] = await Promise.all(["events", "net", "worker_threads"].map((name) => import("node:" + name)));
    const emitter = new EventEmitter();
    const thrower = () => { throw new Error("thrown"); };
    ${wrong};
    setInterval(async () => { if (Number(await metric()) === 1) process.exit(7); }, 10);`);
  expect(lines.map(({ msg }) => msg)).toEqual(["uncaught exception"]);
  expect(code).toBe(7);
});

it("come from what a repeating timer throws, which ends neither the timer nor the process", async () => {
  const { code, lines } = await run(
    `const { every } = await import("${dist}shared/flow/every.js"); let turns = 0; every(10, () => { if (turns++ === 0) throw new Error("thrown"); process.exit(7); });`,
  );
  expect(lines.map(({ msg }) => msg)).toEqual(["unhandled rejection"]);
  expect(code).toBe(7);
});

it("end the process where something must not stop midway, whoever catches the error", async () => {
  const { code, lines } = await run(`
    const { orEnd } = await import("${dist}shared/process/stray-rejections.js");
    setTimeout(() => { try { orEnd(() => { throw new Error("thrown"); }); } catch {} }, 0);
    setTimeout(() => process.exit(7), 10_000);`);
  expect(lines.map(({ msg }) => msg)).toEqual(["unexpected exception"]);
  expect(code).toBe(1);
});
