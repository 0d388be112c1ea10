import { expect, it } from "vitest";
import { indexed, leftOut, once, perSession, perSlot, perTenant } from "../../../../../deploy/cli/backup/stored-keys.js";
import { keys } from "../../../../../shared/redis/keys.js";

it("every key of Redis is in a backup or is left out for a reason", () => {
  const named = [...[once, perTenant, perSlot, perSession, leftOut].flatMap((table) => Object.keys(table)), ...indexed];
  expect(named.sort()).toEqual(Object.keys(keys).sort());
});
