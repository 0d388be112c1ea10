import { describe, expect, it } from "vitest";
import { chooseAddress, type AddressSources } from "../../../../../deploy/cli/gateway/address.js";

const paths = { whatsapp: "/whatsapp", telegram: "/telegram" };
const running = { origin: "http://127.0.0.1:9000", paths: { whatsapp: "/a", telegram: "/b" }, sandbox: "http://127.0.0.1:9010" };
const nothing: AddressSources = { url: undefined, key: undefined, running: undefined, port: 8080, paths, foundKeys: [] };

describe("the gateway", () => {
  it.each<[string, Partial<AddressSources>, string, string | undefined]>([
    ["that is named", { url: "https://gw.example/", running }, "https://gw.example", undefined],
    ["that runs here", { running }, "http://127.0.0.1:9000", "http://127.0.0.1:9010"],
    ["that runs here, named", { url: "http://127.0.0.1:9000", running }, "http://127.0.0.1:9000", "http://127.0.0.1:9010"],
    ["of the port, without either", {}, "http://127.0.0.1:8080", undefined],
  ])("is the one %s", (_, sources, origin, sandbox) => {
    expect(chooseAddress({ ...nothing, ...sources })).toMatchObject({ origin, sandbox });
  });
  it("has the paths of the one that runs here, and else the usual ones", () => {
    expect(chooseAddress({ ...nothing, running }).paths).toEqual(running.paths);
    expect(chooseAddress({ ...nothing, running, url: "http://127.0.0.1:8080" }).paths).toEqual(paths);
  });
  it.each(["gw.example", "ftp://gw.example", "https://me:secret@gw.example", "https://gw.example/telegram", "https://gw.example/?a=b"])(
    "is not %s",
    (url) => {
      expect(() => chooseAddress({ ...nothing, url })).toThrow(/^must /);
    },
  );
});

describe("keys that were found on this machine", () => {
  const foundKeys = ["of-a-trial", "of-the-containers"];
  it.each(["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080", "http://127.5.5.5:8080"])("go to %s", (url) => {
    expect(chooseAddress({ ...nothing, url, foundKeys }).keys).toEqual(foundKeys);
  });
  it("go to the port of the one that runs here, by any of its names", () => {
    for (const url of [undefined, "http://127.0.0.1:9000", "http://localhost:9000"])
      expect(chooseAddress({ ...nothing, running, url, foundKeys }).keys).toEqual(foundKeys);
    expect(chooseAddress({ ...nothing, running, url: "http://127.0.0.1:8080", foundKeys }).keys).toEqual([]);
  });
  it.each([
    ...["https://gw.example", "http://10.0.0.1:8080", "http://127.0.0.1.gw.example:8080", "http://localhost.example:8080"],
    // Any user of this machine may listen on these addresses.
    ...["http://127.0.0.1:8081", "http://localhost:1", "http://localhost", "https://localhost", "http://[::1]:65535"],
  ])("do not go to %s", (url) => {
    expect(chooseAddress({ ...nothing, url, foundKeys }).keys).toEqual([]);
  });
  it("are overridden by the given one", () => {
    expect(chooseAddress({ ...nothing, key: "given", foundKeys }).keys).toEqual(["given"]);
    expect(chooseAddress({ ...nothing, key: "given", foundKeys, url: "https://gw.example" }).keys).toEqual(["given"]);
  });
});
