import type { RetryOutput, TestEventOutput } from "../../../../../shared/contract/webhook-trial.js";
import { call } from "../../api/call.js";
import { Button } from "../../ui/button.js";
import { countText } from "../../ui/count-text.js";
import { FailureNotice, Notice } from "../../ui/notice.js";
import { useAction } from "../../ui/use-action.js";

/** Sends a test event, or retries the queue now. */
export function ReceiverTrial({ id }: { id: string }) {
  const path = `/admin/sessions/${encodeURIComponent(id)}/webhook` as const;
  const test = useAction((signal) => call<TestEventOutput>(`POST ${path}/test`, { signal }));
  const retry = useAction((signal) => call<RetryOutput>(`POST ${path}/retry`, { signal }));
  return (
    <section class="card narrow" aria-label="Test your endpoint">
      <h2>Test your endpoint</h2>
      <p class="soft">
        Send a test event: it is queued after pending events, signed and retried like any other. Retry now sends pending events at once,
        without waiting for their next attempt.
      </p>
      {test.failure !== undefined && <FailureNotice failure={test.failure} doing="send test event" />}
      {test.done !== undefined && (
        <Notice kind="good">
          Test event queued: <code>{test.done.id.slice(0, 12)}…</code>
          {test.done.waiting > 1 && `, after ${countText(test.done.waiting - 1, ["pending event", "pending events"])}`}.
        </Notice>
      )}
      {retry.failure !== undefined && <FailureNotice failure={retry.failure} doing="retry" />}
      {retry.done !== undefined && (
        <Notice kind="good">
          {retry.done.waiting === 0 ? "No pending events." : `Sending ${countText(retry.done.waiting, ["event", "events"])} now.`}
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
