import { to } from "../../route/match-route.js";
import { StateBadge } from "../../ui/badge.js";
import { numberText } from "../../ui/number-text.js";
import { FailureNotice } from "../../ui/notice.js";
import { Loading } from "../../ui/view.js";
import type { ApiFailure } from "../../api/failure.js";
import type { Tally } from "./tally.js";
import { countedMax } from "./use-sessions.js";

export interface SessionStatesProps {
  readonly tally: Tally | undefined;
  readonly cut: boolean;
  readonly failure: ApiFailure | undefined;
  readonly onRetry: () => void;
  readonly stale: boolean;
}

/** How many sessions are in which state. */
export function SessionStates({ tally, cut, failure, onRetry, stale }: SessionStatesProps) {
  return (
    <section class="card" aria-labelledby="states-title">
      <h2 id="states-title">Sessions by state</h2>
      {failure !== undefined && <FailureNotice failure={failure} doing="count sessions" onRetry={onRetry} />}
      {tally === undefined ? (
        failure === undefined && <Loading text="Counting…" />
      ) : (
        <ul class={`states ${stale ? "stale" : ""}`}>
          {(["connected", "awaiting-qr", "awaiting-password", "disconnected"] as const).map((state) => (
            <li key={state}>
              <a href={to("/sessions", {}, { state })}>
                <StateBadge state={state} />
                <strong>{numberText(tally[state])}</strong>
              </a>
            </li>
          ))}
        </ul>
      )}
      {cut && <p class="soft">Only the first {numberText(countedMax)} sessions are counted.</p>}
    </section>
  );
}
