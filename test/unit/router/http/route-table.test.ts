import { describe, expect, it } from "vitest";
import { RouteTable, servedMethods, servedPaths } from "../../../../router/http/route-table.js";

const table = new RouteTable();
table.add({ method: "GET", path: "/session", exact: false });
table.add({ method: "POST", path: "/session", exact: false });
table.add({ method: "DELETE", path: "/session", exact: false });
table.add({ method: "PUT", path: "/session/webhook", exact: false });
table.add({ method: "GET", path: "/group/:groupId", exact: false });
table.add({ method: "GET", path: "/group/member", exact: false });
table.add({ method: "PATCH", path: "/group/:groupId", exact: false });
table.add({ method: "GET", path: "/media/:id/:file", exact: true });
table.add({ method: "GET", path: "/files/*", exact: false });

describe("methods of a path", () => {
  it.each<[string, string]>([
    ["/session", "GET HEAD POST DELETE"],
    ["/session/", "GET HEAD POST DELETE"],
    ["/session//", ""],
    ["//session", ""],
    ["/session/webhook", "PUT"],
    ["/session/webhook/", "PUT"],
    ["/group/1", "GET HEAD PATCH"],
    ["/group/1/", "GET HEAD PATCH"],
    ["/group/member", "GET HEAD PATCH"],
    ["/group", ""],
    ["/group/", ""],
    ["/group//", ""],
    ["/group/1/2", ""],
    ["/media/a/b", "GET HEAD"],
    ["/media/a/b/", ""],
    ["/files/", "GET HEAD"],
    ["/files/a/b/c", "GET HEAD"],
    ["/files", ""],
    ["/", ""],
    ["", ""],
    ["*", ""],
    ["/nothing", ""],
    ["/__proto__", ""],
    ["/SESSION", ""],
  ])("%s: %s", (path, methods) => {
    expect(table.methodsOf(path).join(" ")).toBe(methods);
  });
});

it("a GET is served to HEAD, nothing else is", () => {
  expect((["GET", "POST", "PUT", "PATCH", "DELETE"] as const).map(servedMethods)).toEqual([
    ["GET", "HEAD"],
    ["POST"],
    ["PUT"],
    ["PATCH"],
    ["DELETE"],
  ]);
});

it.each([
  [{ path: "/a", exact: false } as const, ["/a", "/a/"]],
  [{ path: "/a", exact: true } as const, ["/a"]],
  [{ path: "/a/:b", exact: false } as const, ["/a/:b", "/a/:b/"]],
  [{ path: "/", exact: false } as const, ["/"]],
  [{ path: "/*", exact: false } as const, ["/*"]],
])("%o is served at %j", (row, paths) => {
  expect(servedPaths(row)).toEqual(paths);
});
