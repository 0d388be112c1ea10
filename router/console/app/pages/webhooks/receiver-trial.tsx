import type { RetryOutput, TestEventOutput } from "../../../../../shared/contract/webhook-trial.js";
import { call } from "../../api/call.js";
import { Button } from "../../ui/button.js";
import { countText } from "../../ui/count-text.js";
import { FailureNotice, Notice } from "../../ui/notice.js";
import { useAction } from "../../ui/use-action.js";

/** For who looks at a receiver: an event to try it with, and no more waiting. */
export function ReceiverTrial({ id }: { id: string }) {
  const path = `/admin/sessions/${encodeURIComponent(id)}/webhook` as const;
  const test = useAction((signal) => call<TestEventOutput>(`POST ${path}/test`, { signal }));
  const retry = useAction((signal) => call<RetryOutput>(`POST ${path}/retry`, { signal }));
  return (
    <section class="card narrow" aria-label="Try the receiver">
      <h2>Try the receiver</h2>
      <p class="soft">
        A test event goes out behind what waits, with a signature and repeats like every other. Retry now sends what waits without its
        pause.
      </p>
      {test.failure !== undefined && <FailureNotice failure={test.failure} />}
      {test.done !== undefined && (
        <Notice kind="good">
          The test event is queued as <code>{test.done.id.slice(0, 12)}…</code>
          {test.done.waiting > 1 && `, behind ${countText(test.done.waiting - 1, ["event", "events"])}`}.
        </Notice>
      )}
      {retry.failure !== undefined && <FailureNotice failure={retry.failure} />}
      {retry.done !== undefined && (
        <Notice kind="good">
          {retry.done.waiting === 0 ? "Nothing waits." : `${countText(retry.done.waiting, ["event goes", "events go"])} out now.`}
        </Notice>
      )}
      <div class="actions">
        <Button busy={test.busy} onClick={() => test.run()}>
          Send test event
        </Button>
        <Button busy={retry.busy} onClick={() => retry.run()}>
          Retry now
        </Button>
      </div>
    </section>
  );
}
