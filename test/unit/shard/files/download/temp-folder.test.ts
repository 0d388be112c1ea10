import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { TempFolder } from "../../../../../shard/files/download/temp-folder.js";

it("removes what dead processes left, and nothing of the living, of other hosts or of other kinds", async () => {
  const parent = await mkdtemp(join(tmpdir(), "temp-folder-test-"));
  const dead = spawn("true");
  const alive = spawn("sleep", ["30"]);
  await once(dead, "exit");
  const names = {
    dead: `download-${hostname()}-${dead.pid}-aaaaaaaa-bbbbbbbb`,
    predecessor: `download-${hostname()}-${process.pid}-00000000-bbbbbbbb`,
    alive: `download-${hostname()}-${alive.pid}-aaaaaaaa-bbbbbbbb`,
    elsewhere: `download-another-host-${dead.pid}-aaaaaaaa-bbbbbbbb`,
    other: "fonts",
  };
  for (const name of Object.values(names)) {
    await mkdir(join(parent, name));
    await writeFile(join(parent, name, "file"), "x");
  }
  const [first, second] = [new TempFolder(parent), new TempFolder(parent)];
  await first.open();
  await second.open();
  expect((await readdir(parent)).sort()).toEqual(
    [names.alive, names.elsewhere, names.other, basename(first.path), basename(second.path)].sort(),
  );
  await first.remove();
  await first.remove();
  expect(await readdir(parent)).toHaveLength(4);
  alive.kill();
  await rm(parent, { recursive: true });
});
