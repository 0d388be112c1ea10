import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../../router/openapi/document.js";
import { defaultEventTypes, telegramEventTypes, whatsappEventTypes } from "../../../../shared/contract/webhook-events.js";

const page = readFileSync("router/docs/webhooks.md", "utf8");
const bodies = page.split("\n").flatMap((line): unknown[] => (line.startsWith('{"id":"4c90') ? [JSON.parse(line)] : []));
const { webhooks } = openApiDocument();

describe("the page of webhooks", () => {
  it.each(Object.keys(webhooks).filter((name) => /^(whatsapp|session)\./.test(name)))("has the document's example of %s", (name) => {
    const [example] = Object.values(webhooks[name]?.["post"]?.requestBody?.content["application/json"]?.examples ?? {});
    expect(bodies).toContainEqual(example !== undefined && "value" in example ? example.value : undefined);
  });

  it("says which events each platform has, and which of them are sent by default", () => {
    const rows = page.split("\n").flatMap((line) => {
      const [, names = "", whatsapp = "", telegram = ""] = line.split("|").map((cell) => cell.trim());
      return [...names.matchAll(/`([a-z.]+)`/g)].map(([, type = ""]) => ({ type, whatsapp, telegram }));
    });
    const word = (type: string, types: readonly string[]): string =>
      types.includes(type) ? (defaultEventTypes.some((one) => one === type) ? "default" : "listed") : "";
    const table = rows.filter(({ type, whatsapp }) => type !== "test" && /^(default|listed)$/.test(whatsapp));
    expect(table.map(({ type }) => type).sort()).toEqual([...whatsappEventTypes].sort());
    for (const { type, whatsapp, telegram } of table)
      expect([type, whatsapp, telegram]).toEqual([type, word(type, whatsappEventTypes), word(type, telegramEventTypes)]);
  });
});
