import { it } from "vitest";
import type { Page } from "playwright-core";
import { goTo, signIn } from "../harness/browser.js";
import { eventually } from "../harness/eventually.js";
import { memberPid } from "../harness/member-pid.js";
import type { Stage } from "./stage.js";

/** Tests of the overview while a part of the gateway is frozen, and afterwards. */
export function failures(stage: () => Stage): void {
  it.each([
    ["Redis", () => redisPid(stage())],
    ["its router", () => routerPid(stage(), "router-1")],
  ] as const)("with %s frozen, the overview says that the state is unknown, and all is well again afterwards", async (_, findPid) => {
    const pid = await findPid();
    await stage().look(async (seen) => {
      const { page } = seen;
      await signIn(seen, stage().gateway.adminKey);
      await goTo(seen, "#/overview", "Overview");
      await isWell(page);
      process.kill(pid, "SIGSTOP");
      try {
        await page.getByText("Current status unknown").waitFor();
        await page.getByText(/^Cluster: last updated \d+ s ago/).waitFor();
        await page.getByText(/^Last updated \d+ s ago$/).waitFor();
        await page.locator(".health.stale").getByText("Reachable", { exact: true }).waitFor({ state: "detached" });
        await page.locator(".figures .stale").first().waitFor();
        await page.getByText("Live", { exact: true }).waitFor({ state: "detached" });
        await page.getByText("All systems operational").waitFor({ state: "detached" });
      } finally {
        resume(pid);
      }
      await isWell(page);
    }, {});
    await stage().gateway.settled();
  });
}

/** Waits until the overview is healthy and no card shows an earlier error. */
async function isWell(page: Page): Promise<void> {
  await page.getByText("All systems operational").waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.locator(".health").getByText("Reachable", { exact: true }).waitFor();
  await eventually("nothing stale", async () => (await page.locator(".stale").count()) === 0);
  await eventually("no notice", async () => (await page.locator(".notice").count()) === 0);
}

function resume(pid: number): void {
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // The supervisor has replaced a router that did not respond.
  }
}

function routerPid({ gateway }: Stage, name: string): Promise<number> {
  return eventually(name, () => memberPid(gateway, name));
}

async function redisPid(stage: Stage): Promise<number> {
  const info = await stage.withRedis((redis) => redis.info("server"));
  return Number(/process_id:(\d+)/.exec(info)?.[1]);
}
