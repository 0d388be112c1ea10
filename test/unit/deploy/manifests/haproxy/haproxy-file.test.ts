import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { commandRows } from "../../../../../shared/contract/commands.js";

/** Checks the file's text. test/cluster/haproxy.test.ts runs haproxy with it. */
const file = readFileSync(resolve(import.meta.dirname, "../../../../../deploy/manifests/haproxy/haproxy.cfg"), "utf8").replace(
  /^ *#.*\n/gm,
  "",
);
const seconds = (name: string): number => Number(new RegExp(`^ *timeout ${name} (\\d+)s$`, "m").exec(file)?.[1]);
/** Time after which uWebSockets.js closes an idle connection (s). */
const engineIdleSeconds = 10;
/** Time for credentials, a slow body and an owner (router/README.md, "The HTTP engine"). */
const beforeCommandSeconds = 20 + 5;

it("waits longer than any call may take", () => {
  const longest = Math.max(...Object.values(commandRows).flatMap((rows) => Object.values(rows).map(({ deadlineMs }) => deadlineMs)));
  expect(longest).toBe(240_000);
  for (const name of ["server", "client"]) expect(seconds(name)).toBeGreaterThan(longest / 1_000 + beforeCommandSeconds);
});

it("closes idle connections before a router does", () => {
  expect(seconds("http-keep-alive")).toBeLessThan(engineIdleSeconds);
  expect(file).toContain("pool-max-conn 0");
});

it("sees a router stop before it stops, with the least delay that the file names", () => {
  const [, inter, fall] = /^ *default-server inter (\d+)s fall (\d+) /m.exec(file) ?? [];
  const least = /SHUTDOWN_DELAY_SECONDS of at least (\d+)/.exec(
    readFileSync(resolve(import.meta.dirname, "../../../../../deploy/manifests/haproxy/haproxy.cfg"), "utf8"),
  )?.[1];
  expect(Number(least)).toBeGreaterThan(Number(inter) * (Number(fall) + 1));
});

it("logs no path: a media link opens its file", () => {
  const [, format = ""] = /^ *log-format "(.+)"$/m.exec(file) ?? [];
  expect(format).not.toBe("");
  expect(format).not.toMatch(/%(HU|HP|HPO|HQ|r|hr|hrl|hs|hsl)\b|%[[{]/);
});
