import { expect, it } from "vitest";
import { costsOfText } from "./message-costs.js";

const accounts = ["alice", "bob"] as const;

it("one text between two WhatsApp sessions of a gateway costs these Redis commands", async () => {
  expect(await costsOfText({ platform: "whatsapp", accounts })).toEqual({
    router: { "hmget session": 1, "router/bus/enqueue": 1, "xread replies": 1 },
    shard: {
      "shard/bus/begin": 1,
      "shard/bus/finish": 1,
      "shard/session/store/advance": 1,
      "shard/session/store/keep-sent": 1,
      "shard/session/store/write-secrets": 1,
      "xadd replies": 1,
      "xdel commands": 1,
      "xread commands": 1,
    },
  });
});

it("and these, where router and shard share a process", async () => {
  expect(await costsOfText({ platform: "whatsapp", accounts, allInOne: true })).toEqual({
    router: { "hmget session": 1 },
    shard: {
      "shard/session/store/advance": 1,
      "shard/session/store/keep-sent": 1,
      "shard/session/store/write-secrets": 1,
    },
  });
});
