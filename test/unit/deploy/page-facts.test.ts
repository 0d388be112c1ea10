import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(resolve(root, path), "utf8");

it("no page has a control character in its text", () => {
  const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" }).trim().split("\n");
  expect(pages.filter((page) => /[\u0000-\u0009\u000b-\u001f\u007f]/.test(read(page)))).toEqual([]);
});

it("the page on watching counts the alerts that there are", () => {
  const alerts = read("deploy/manifests/prometheus/rules/alerts.yml").match(/^\s*- alert:/gm)?.length;
  expect(read("deploy/docs/watch.md")).toContain(`records and ${alerts} alerts`);
});

it("the page on systemd names every secret's file", () => {
  const units = read("deploy/manifests/systemd/trunkline-router@.service") + read("deploy/manifests/systemd/trunkline-shard@.service");
  const files = [...units.matchAll(/^LoadCredential=\S+:\/etc\/trunkline\/secrets\/(\S+)$/gm)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter((file) => !read("deploy/docs/systemd.md").includes(`\`${file}\``))).toEqual([]);
});
