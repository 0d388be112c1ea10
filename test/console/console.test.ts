import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loggedIn } from "../harness/api.js";
import { apiReference } from "./api-reference.js";
import { around } from "./around.js";
import { chats } from "./chats.js";
import { failures } from "./failures.js";
import { fits } from "./fits.js";
import { journey } from "./journey.js";
import { looks } from "./looks.js";
import { oneSession } from "./one-session.js";
import { operators } from "./operators.js";
import { passkey } from "./passkey.js";
import { passkeyPopup } from "./passkey-popup.js";
import { handlersIn } from "./pressed-handlers.js";
import { Stage } from "./stage.js";

/** Tests of the console in a real browser. All parts, each in a file of its own, share one gateway and one browser. */
let running: Stage;
let session: string;
beforeAll(async () => {
  running = await Stage.start();
  ({
    credentials: { id: session },
  } = await loggedIn(running.gateway, "alice"));
  await running.admin("POST", "/tenants", { name: "acme", quotas: { sessions: 5 } });
  await running.admin("POST", "/keys", { tenant: "acme", role: "tenant", label: "backend" });
});
afterAll(() => running.stop());

const stage = (): Stage => running;

// Runs first, because later cases create sessions that the overview would list.
describe("when something fails", () => failures(stage));
describe("a person", () => journey(stage));
describe("around the pages", () => around(stage));
describe("one session", () => oneSession(stage));
describe("the chats of a session", () => chats(stage, () => session));
describe("an operator", () => operators(stage, () => session));
describe("an account with a passkey", () => passkey(stage));
describe("the extension for a passkey", () => passkeyPopup(stage));
describe("the API reference", () => apiReference(stage));
describe("every page", () => {
  looks(stage, () => session);
  fits(stage, () => session);
});

describe("handlers", () => {
  it("are found in a bundled script", () => {
    const script =
      "e(B,{onClick:()=>a(),kind:b});f({onSubmit:t=>{t.x()},act:async s=>await c(s),onChange:g,onClick:h});({onClick:k,act:m}=n)";
    expect(handlersIn(script).map((at) => script.slice(at, at + 6))).toEqual(["()=>a(", "t=>{t.", "async "]);
  });
  // Runs last and needs the whole file.
  it("of every button, form and choice ran in a test of this file", () => {
    expect(running.pressed.missing()).toEqual([]);
  });
});
