import type { RenderTask } from "./render-task.js";

/** What the dearest picture counts as, where tenants take turns at the render pool. */
export const renderCostMax = 8;

/** What a tenant owes for a task that reached its deadline, beyond its usual cost: as many small pictures as could have been made meanwhile. */
export const timeoutCost = 64;

/** What a picture costs by others, from what it is and how large what it is made of: about the time that it takes, 15 ms being one. */
export function renderCost(task: RenderTask): number {
  switch (task.name) {
    case "scale-image":
      return typeof task.input.source === "string"
        ? fileCost
        : Math.min(renderCostMax, 1 + Math.ceil(task.input.source.byteLength / bytesByCost));
    case "text-card":
      return renderCostMax;
    default:
      return task satisfies never;
  }
}

/** Of a file nobody has looked into yet. */
const fileCost = 3;
const bytesByCost = 2 * 1024 * 1024;
