import { routerErrors } from "../errors/router-errors.js";
import { id, keyId, ofPages } from "./shared-texts.js";
import type { Texts } from "./types.js";

export const recordTexts = {
  "list-audit": {
    tag: "Operators: records",
    summary: "List audit log",
    description:
      "Returns the entries that the key can see, oldest first, or newest first with `order=newest`. The gateway keeps about 100,000 entries. Use `next` only with the same `order`.",
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
    summary: "Stream events",
    description:
      "Server-sent events: `session`, `code` and `deliveries` of sessions, `slots` and `load` of shards, `member`, `rotation` and `missed`, and finally `end` with a `reason`. A tenant's key receives events of its own sessions only. `code`, `deliveries`, `load` and `rotation` come at most once per second for each session, shard or rotation. A comment every 5 s shows that the stream is current; it is missing while the router cannot read Redis. To resume, send the last id in `Last-Event-ID`.",
    reply:
      'retry: 2000\nid: 1795000000000-0\n\nid: 1795000000001-0\nevent: session\ndata: {"at":"2026-11-22T10:00:00.000Z","session":"6b01aa5342b4f53c9f4c7e33","platform":"telegram","tenant":"acme","state":"connected","member":"shard-1"}\n\n',
    errors: [routerErrors.notEventId, routerErrors.tooManyEventStreams],
  },
} satisfies Partial<Texts>;
