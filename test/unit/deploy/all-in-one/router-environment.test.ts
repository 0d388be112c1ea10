import { expect, it } from "vitest";
import { routerEnvironment, sharedEnvironment } from "../../../../deploy/all-in-one/router-environment.js";

it("keeps the names and the admin ports of router and shard apart in one environment", () => {
  const router = { MEMBER_NAME: "router-1", ADMIN_PORT: "9090", PORT: "8080", DATA_DIR: "/data" };
  const shard = { MEMBER_NAME: "shard-1", ADMIN_PORT: "9091", WEIGHT: "2", DATA_DIR: "/data" };
  const shared = sharedEnvironment(router, shard);
  expect(shared).toMatchObject({ ...shard, PORT: "8080" });
  expect(routerEnvironment(shared)).toMatchObject({ ...router, WEIGHT: "2" });
});
