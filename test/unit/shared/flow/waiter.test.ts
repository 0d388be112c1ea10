import { expect, it } from "vitest";
import { AbortScope } from "../../../../shared/flow/abort-scope.js";
import { Waiter } from "../../../../shared/flow/waiter.js";

interface Happened {
  /** Steps within one turn of the event loop. */
  readonly steps: readonly ("give" | "abort" | "late")[];
  /** Whether the waiter returns a value that it cannot use. */
  readonly takesBack: boolean;
}

/** Resolves with the outcome of one waiter, and with the calls that its queue received. */
async function after({ steps, takesBack }: Happened): Promise<{ outcome: string; left: number; takenBack: string[] }> {
  const controller = new AbortController();
  const seen = { left: 0, takenBack: [] as string[] };
  const waiter = new Waiter<string>({
    signal: controller.signal,
    time: steps.includes("late") ? { ms: 0, late: () => "nothing in time" } : undefined,
    leave: () => void (seen.left += 1),
    ...(takesBack ? { giveBack: (given) => void seen.takenBack.push(given) } : {}),
  });
  const outcome = waiter.given().catch((error: unknown) => `rejected: ${String(error)}`);
  for (const [index, step] of steps.entries()) {
    if (step === "give") waiter.give(`given ${index + 1}`);
    if (step === "abort") controller.abort("gone");
    if (step === "late") await outcome;
  }
  return { outcome: await outcome, ...seen };
}

it.each<[what: string, happened: Happened, outcome: string, left: number, takenBack: string[]]>([
  ["is given something", { steps: ["give"], takesBack: true }, "given 1", 0, []],
  ["keeps the first of two", { steps: ["give", "give"], takesBack: true }, "given 1", 0, []],
  ["leaves with its signal", { steps: ["abort"], takesBack: true }, "rejected: gone", 1, []],
  ["has nothing of what comes after that", { steps: ["abort", "give"], takesBack: true }, "rejected: gone", 1, []],
  ["gives back what came in the turn of its abort", { steps: ["give", "abort"], takesBack: true }, "rejected: gone", 0, ["given 1"]],
  ["keeps that where it cannot be given back", { steps: ["give", "abort"], takesBack: false }, "given 1", 0, []],
  ["leaves when its time is over", { steps: ["late"], takesBack: true }, "nothing in time", 1, []],
  ["hears nothing after that", { steps: ["late", "abort", "give"], takesBack: true }, "nothing in time", 1, []],
])("%s", async (_, happened, outcome, left, takenBack) => {
  expect(await after(happened)).toEqual({ outcome, left, takenBack });
});

class Watched extends AbortScope {
  heldBy = 0;

  override addEventListener(...added: Parameters<AbortScope["addEventListener"]>): void {
    this.heldBy += 1;
    super.addEventListener(...added);
  }

  override removeEventListener(...removed: Parameters<AbortScope["removeEventListener"]>): void {
    this.heldBy -= 1;
    super.removeEventListener(...removed);
  }
}

it("waits as long as it takes, and leaves nothing at its signal", async () => {
  const signal = new Watched();
  const waiter = new Waiter<number>({ signal, leave: () => undefined });
  setImmediate(() => waiter.give(7));
  expect(signal.heldBy).toBe(1);
  expect(await waiter.given()).toBe(7);
  expect(signal.heldBy).toBe(0);
});
