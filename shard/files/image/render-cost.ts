import type { RenderTask } from "./render-task.js";

/** Cost of the most expensive picture, where tenants take turns at the render pool. */
export const renderCostMax = 8;

/**
 * Debt of a tenant for a task that reached its deadline, beyond its usual cost: as many small pictures as could have been made meanwhile.
 */
export const timeoutCost = 64;

/** Returns the cost of a picture by its kind and the size of its source: about its time, with 15 ms as 1. */
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

/** Cost of a file that has not been read yet. */
const fileCost = 3;
const bytesByCost = 2 * 1024 * 1024;
