import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { readGivenFile, warnOfReaders } from "../../../../deploy/cli/given-file.js";
import { addressOf } from "../../../../deploy/cli/settings.js";

let folder: string;
let file: string;
const said: string[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tl-given-"));
  file = join(folder, "key");
  writeFileSync(file, "a-key\n");
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, "error").mockImplementation((text: string) => void said.push(text));
});
afterEach(() => vi.restoreAllMocks());

it.each([
  [0o600, false],
  [0o640, false],
  [0o604, true],
  [0o644, true],
])("a key file of mode %o is named in a warning: %s", (mode, isNamed) => {
  chmodSync(file, mode);
  expect(readGivenFile("--key-file", file)).toBe("a-key");
  const { keys } = addressOf({ color: false, dataDir: folder }, { TRUNKLINE_KEY_FILE: file });
  expect(keys).toEqual(["a-key"]);
  const warning = `trunkline: warning: other users can read ${file}; run chmod 600 ${file}`;
  expect(said).toEqual(isNamed ? [warning, warning] : []);
});

it("nothing is said of a file that is not there, or of a container's secret", () => {
  for (const path of [undefined, "", join(folder, "none"), "/run/secrets/none"]) warnOfReaders(path);
  expect(said).toEqual([]);
});

it("a key of API_KEYS goes to this machine's own gateway alone", () => {
  const keysFor = (url: string): readonly string[] =>
    addressOf({ color: false, dataDir: folder, url }, { API_KEYS: "admin:a-key-that-is-long-enough" }).keys;
  expect(keysFor("http://127.0.0.1:8080")).toEqual(["a-key-that-is-long-enough"]);
  for (const url of ["https://gw.example", "http://127.0.0.1:8081"]) expect(keysFor(url)).toEqual([]);
});
