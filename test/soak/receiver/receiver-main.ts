import { setPriority } from "node:os";
import { onParentGone } from "../../../shared/process/parent-gone.js";
import type { Behaviour } from "./arrival.js";
import type { Order, Plan, Report } from "./protocol.js";
import { ReceiverServer } from "./receiver-server.js";

/** Runs the receiver in a process of its own, with a higher priority if permitted, so that the soak's own work does not delay responses. */
const priority = -10;

const plan = JSON.parse(process.argv[2] ?? "{}") as Plan;
const report = (what: Report): void => void process.send?.(what);
const server = new ReceiverServer((failures) => chosen(failures, plan), {
  arrived: (name, arrival) => report({ kind: "arrived", name, arrival }),
  fault: (sentence) => report({ kind: "fault", sentence }),
});
const orders: Record<Order, () => Promise<void>> = { down: () => server.down(), up: () => server.up() };

try {
  setPriority(priority);
} catch {
  // Not permitted: it runs with normal priority.
}
process.on("message", (order: Order) => void orders[order]().then(() => report({ kind: "done", order })));
// Exits when the soak has ended in any way.
onParentGone(() => process.exit());
report({ kind: "listening", ports: await server.start(plan.ports) });

/** Fails a third of all attempts, up to the maximum per event. */
function chosen(failures: number, { maxFailures, hangs }: Plan): Behaviour {
  if (failures >= maxFailures || Math.random() >= 1 / 3) return "ok";
  const dice = Math.random();
  if (dice < hangs) return "hang";
  return dice < 0.15 ? "redirect" : dice < 0.3 ? "reset" : "error";
}
