import { useState } from "preact/hooks";
import type { DeadLetter, ReplayOutput } from "../../../../../shared/contract/dead-letters.js";
import { call } from "../../api/call.js";
import type { SessionRow } from "../../api/rows.js";
import { usePages } from "../../api/use-pages.js";
import type { LiveEvent } from "../../live/live-event.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { may } from "../../sign-in/who.js";
import { lastingText } from "../../ui/lasting-text.js";
import { numberText } from "../../ui/number-text.js";
import { instantText } from "../../ui/instant-text.js";
import { Badge } from "../../ui/badge.js";
import { Confirm } from "../../ui/confirm.js";
import { countText } from "../../ui/count-text.js";
import { Notice } from "../../ui/notice.js";
import { PageFoot } from "../../ui/page-foot.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { Empty } from "../../ui/view.js";
import type { TabProps } from "../session/tab-props.js";
import type { DeliveriesEvent } from "./delivery-sums.js";

/** `GET /admin/sessions/{id}`: how a session's deliveries are. */
type SessionDetail = SessionRow & { readonly queue: { readonly events: number; readonly deadLetters: number } };

const events = ["event", "events"] as const;
/** A busy session has delivery events every second, so reloads are delayed this long. */
const restMs = 2_000;

const reasons: Readonly<Record<string, string>> = {
  expired: "Expired after 24 h",
  attempts: "100 failed attempts",
  full: "Queue full",
  unreadable: "Can't be decrypted",
};

/** Shows the queue and dead letters of a session's receiver, and replays them. */
export function DeadLettersTab({ session: { id } }: TabProps) {
  const path = `/admin/sessions/${encodeURIComponent(id)}` as const;
  const detail = useLoaded((signal) => call<SessionDetail>(`GET ${path}`, { signal }), [id]);
  const letters = usePages<DeadLetter>(`GET ${path}/dead-letters`, { limit: 50 });
  const [replayed, setReplayed] = useState<ReplayOutput | undefined>(undefined);
  const reload = (): void => {
    detail.reload();
    letters.reload();
  };
  const isOurs = (event: LiveEvent): event is DeliveriesEvent => event.type === "deliveries" && event.session === id;
  useLiveReload(detail.reload, isOurs, restMs);
  useLiveReload(letters.reload, (event) => isOurs(event) && event.dead + event.replayed > 0);
  return (
    <div class="stack">
      {detail.value !== undefined && (
        <dl class="facts">
          <dt>Pending</dt>
          <dd>{countText(detail.value.queue.events, events)}</dd>
          <dt>Oldest pending</dt>
          <dd>{detail.value.webhookLag === 0 ? "None" : lastingText(detail.value.webhookLag * 1_000)}</dd>
          <dt>Failed permanently</dt>
          <dd>{countText(detail.value.queue.deadLetters, events)}</dd>
        </dl>
      )}
      {replayed !== undefined && (
        <Notice kind="good">
          Replaying {countText(replayed.replayed, events)}.{replayed.left > 0 && ` ${numberText(replayed.left)} skipped.`}
        </Notice>
      )}
      {letters.rows.length > 0 && may("operate-session") && (
        <div class="actions">
          <Confirm
            label="Replay all"
            kind="primary"
            title="Replay failed events?"
            act={async (signal) => setReplayed(await call<ReplayOutput>(`POST ${path}/dead-letters/replay`, { signal }))}
            onDone={reload}
          >
            <p>
              All failed events are sent again in order, after those already pending. IDs and bodies are unchanged, so your receiver can
              skip ones it has seen. Events from before the webhook was last turned on are not sent.
            </p>
          </Confirm>
        </div>
      )}
      {letters.rows.map((letter) => (
        <details class="card letter" key={letter.id}>
          <summary>
            <strong>{letter.type}</strong> <Badge tone="bad">{reasons[letter.reason] ?? letter.reason}</Badge>{" "}
            <span class="soft">
              {instantText(letter.created)}, {countText(letter.attempts, ["attempt", "attempts"])}
            </span>
          </summary>
          <p class="mono">{letter.id}</p>
          <pre tabIndex={0}>{JSON.stringify(letter.body, null, 2)}</pre>
        </details>
      ))}
      {letters.rows.length === 0 && !letters.loading && letters.failure === undefined ? (
        <Empty title="No failed events">
          <p>No events failed permanently in the last 7 days.</p>
        </Empty>
      ) : (
        <PageFoot pages={letters} nouns={["failed event", "failed events"]} />
      )}
    </div>
  );
}
