import { describe, expect, it } from "vitest";
import type { Secrets } from "../../../../deploy/supervisor/secrets.js";
import { readSupervisorSettings } from "../../../../deploy/supervisor/settings.js";
import { welcome } from "../../../../deploy/supervisor/welcome.js";

describe("welcome", () => {
  const secrets: Secrets = { apiKeys: "admin:k", credKeys: "c", mediaKeys: "m", adminKey: "k", made: undefined };
  const { settings } = readSupervisorSettings({ PORT: "8180", DATA_DIR: "/data" });

  it("leads to the console by a link that signs in once", () => {
    const lines = welcome(settings, secrets, "the-code").split("\n");
    expect(lines).toContain("  console    http://127.0.0.1:8180/console#code=the-code");
    expect(lines).toContain("             one-time sign-in link, valid for 15 minutes");
    expect(lines).toContain("  admin key  k");
  });

  it("leads to the console without one where the keys were given, and shows none of them", () => {
    const text = welcome(settings, { ...secrets, adminKey: undefined }, undefined);
    expect(text.split("\n")).toContain("  console    http://127.0.0.1:8180/console");
    expect(text).not.toContain("#code=");
    expect(text).not.toContain("admin key  ");
  });

  it("shows how to send a first message on the sandbox alone, and no key in a command", () => {
    const live = readSupervisorSettings({ PLATFORMS: "live", TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "h" });
    const text = welcome(settings, secrets, undefined);
    expect(text).toContain(" login telegram --label alice --sandbox-scan alice");
    expect(text.replace("  admin key  k\n", "")).not.toMatch(/\bk\b/);
    expect(welcome(live.settings, secrets, undefined)).not.toContain("alice");
  });

  it("shows how to log in a first account on the live platforms", () => {
    const live = readSupervisorSettings({ PLATFORMS: "live", TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "h" });
    expect(welcome(live.settings, secrets, undefined)).toContain("\n  npx trunkline login whatsapp --label my-account\n");
  });

  it("says how to turn Telegram on where it is off", () => {
    const { settings: whatsappAlone } = readSupervisorSettings({ PLATFORMS: "live" });
    const off = "  telegram   off (set TELEGRAM_API_ID and TELEGRAM_API_HASH to turn it on)";
    expect(welcome(whatsappAlone, secrets, undefined).split("\n")).toContain(off);
    expect(welcome(settings, secrets, undefined)).not.toContain("off (");
  });

  it("names the data folder in its commands unless it is the default", () => {
    expect(welcome(settings, secrets, undefined)).toContain('npx trunkline --data-dir "/data" send --session alice');
    const { settings: plain } = readSupervisorSettings({});
    expect(welcome(plain, secrets, undefined)).toContain("npx trunkline send --session alice");
  });
});
