import { routerErrors } from "../errors/router-errors.js";
import { id, keyId, ofPages } from "./shared-texts.js";
import type { Texts } from "./types.js";

export const recordTexts = {
  "list-audit": {
    tag: "Operators: records",
    summary: "List who did what",
    description:
      "The oldest first, or the newest with `order=newest`, as far as it is kept (about 100,000 rows) and the key may see it. The `next` of a page belongs to its order.",
    parameters: { limit: 100, after: "", order: "newest", reads: "0", since: "2026-11-22T10:00:00Z", tenant: "acme", session: id },
    reply: {
      docs: [
        {
          at: "2026-11-22T10:00:00.000Z",
          who: keyId,
          what: "create-session",
          target: "",
          tenant: "acme",
          session: id,
          from: "192.0.2.7",
          requestId: "4bf92f3577b34da6a3ce929d0e0e4736",
          status: 201,
          count: 1,
        },
        {
          at: "2026-11-22T10:00:09.000Z",
          who: "cluster",
          what: "take-over",
          target: "shard-2",
          tenant: "",
          session: "",
          from: "shard-1",
          requestId: "",
          status: 200,
          count: 1365,
          sessions: 410,
        },
      ],
      next: "",
    },
    errors: [...ofPages, routerErrors.notNextOfPage, routerErrors.notDatabaseId, routerErrors.notTime],
  },
  "stream-events": {
    tag: "Operators: records",
    summary: "Hear what happens now",
    description:
      "Server-sent events: `session`, `code` and `deliveries` of sessions, `slots` and `load` of shards, `member`, `rotation` and `missed`, and `end` with a `reason` as the last one. A key of a tenant hears of its own sessions alone. `code`, `deliveries`, `load` and `rotation` come once a second at most for each session, shard or rotation. A comment every 5 s says that the stream is current; it does not come while the router cannot read Redis; a client that comes back names the last id in `Last-Event-ID`.",
    reply:
      'retry: 2000\nid: 1795000000000-0\n\nid: 1795000000001-0\nevent: session\ndata: {"at":"2026-11-22T10:00:00.000Z","session":"6b01aa5342b4f53c9f4c7e33","platform":"telegram","tenant":"acme","state":"connected","member":"shard-1"}\n\n',
    errors: [routerErrors.notEventId, routerErrors.tooManyEventStreams],
  },
} satisfies Partial<Texts>;
