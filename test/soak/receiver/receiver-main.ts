import { setPriority } from "node:os";
import { onParentGone } from "../../../shared/process/parent-gone.js";
import type { Behaviour } from "./arrival.js";
import type { Order, Plan, Report } from "./protocol.js";
import { ReceiverServer } from "./receiver-server.js";

/** The receiver's process: its own, and ahead of the others where that is allowed, so that it is not the soak's own work that holds up an answer. */
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
  // Not allowed: it takes its turn like everybody else.
}
process.on("message", (order: Order) => void orders[order]().then(() => report({ kind: "done", order })));
// The soak has ended, however it did.
onParentGone(() => process.exit());
report({ kind: "listening", ports: await server.start(plan.ports) });

/** A third of all attempts fails, until an event has had its share. */
function chosen(failures: number, { maxFailures, hangs }: Plan): Behaviour {
  if (failures >= maxFailures || Math.random() >= 1 / 3) return "ok";
  const dice = Math.random();
  if (dice < hangs) return "hang";
  return dice < 0.15 ? "redirect" : dice < 0.3 ? "reset" : "error";
}
