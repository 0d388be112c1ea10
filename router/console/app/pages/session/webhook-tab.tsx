import { useState } from "preact/hooks";
import { defaultEventTypes, type EventType } from "../../../../../shared/contract/webhook-events.js";
import { faultsByField } from "../../api/failure.js";
import { randomKey } from "../../api/random-key.js";
import { sessionCall } from "../../api/session-call.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Field } from "../../ui/field.js";
import { FailureNotice, Notice } from "../../ui/notice.js";
import { useAction } from "../../ui/use-action.js";
import { lastingText } from "../../ui/lasting-text.js";
import { EventChoice, eventsField } from "./event-choice.js";
import { may } from "../../sign-in/who.js";
import { LiveDeliveries } from "../webhooks/live-deliveries.js";
import { ReceiverTrial } from "../webhooks/receiver-trial.js";
import { useDeliveries } from "../webhooks/use-deliveries.js";
import type { TabProps } from "./tab-props.js";

/** Shows the webhook's settings and deliveries. */
export function WebhookTab(props: TabProps) {
  const sums = useDeliveries(props.session.id);
  return (
    <div class="stack">
      <WebhookForm {...props} />
      {(props.record?.webhook.url ?? "") !== "" && may("operate-session") && <ReceiverTrial id={props.session.id} />}
      <LiveDeliveries sums={sums} />
    </div>
  );
}

interface WebhookBody {
  readonly url: string;
  readonly token: string;
  readonly events?: readonly EventType[];
}

/** PUT /session/webhook. */
function WebhookForm({ session, row, record, reload }: TabProps) {
  const { url: setUrl = "", token: setToken = "", events: setEvents = [...defaultEventTypes] } = record?.webhook ?? {};
  const [url, changeUrl] = useState(setUrl);
  const [token, changeToken] = useState(setToken);
  const [events, changeEvents] = useState(setEvents);
  const [shown, setShown] = useState(false);
  const put = async (body: WebhookBody, signal: AbortSignal): Promise<void> => {
    await sessionCall(session, "PUT /session/webhook", { body, signal });
    reload();
  };
  const action = useAction(async (signal) => {
    await put({ url, token, ...eventsField(events) }, signal);
    return true;
  });
  const faults = faultsByField(action.failure?.message ?? "", ["url", "token", "events"]);
  // Some sentences are about several fields, so they stand beside none.
  const rest =
    action.failure === undefined
      ? undefined
      : [...faults]
          .filter(([name]) => name === "")
          .map(([, text]) => text)
          .join("\n");
  return (
    <form
      class="card narrow"
      aria-label="Webhook"
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      <h2>Webhook</h2>
      <p class="soft">Sends the chosen events to your URL, in order and at least once. Status: {setUrl === "" ? "Off" : "On"}</p>
      {row.webhookLag > 0 && <Notice kind="warn">Delivery is delayed. Oldest pending event: {lastingText(row.webhookLag * 1_000)}.</Notice>}
      <Field
        label="Endpoint URL"
        type="url"
        value={url}
        onInput={changeUrl}
        fault={faults.get("url")}
        placeholder="https://example.com/hook"
      />
      <div class="with-button">
        <Field
          label="Signing secret"
          type={shown ? "text" : "password"}
          value={token}
          onInput={changeToken}
          fault={faults.get("token")}
          hint="Sent as x-token and used to sign each request."
        />
      </div>
      <div class="actions">
        <Button kind="quiet" onClick={() => setShown(!shown)}>
          {shown ? "Hide secret" : "Show secret"}
        </Button>
        <Button
          kind="quiet"
          onClick={() => {
            changeToken(randomKey() + randomKey());
            setShown(true);
          }}
        >
          Generate secret
        </Button>
      </div>
      <EventChoice platform={session.platform} chosen={events} onChange={changeEvents} fault={faults.get("events")} />
      {action.failure !== undefined && rest !== "" && <FailureNotice failure={action.failure} doing="save webhook" text={rest ?? ""} />}
      {action.done === true && <Notice kind="good">Saved. Applies to events from now on.</Notice>}
      <div class="actions">
        <Button type="submit" kind="primary" busy={action.busy}>
          Save
        </Button>
        {setUrl !== "" && (
          <Confirm
            label="Turn off"
            kind="danger"
            title="Turn off webhook?"
            act={async (signal) => {
              await put({ url: "", token: "" }, signal);
              changeUrl("");
              changeToken("");
            }}
          >
            <p>Pending events will be discarded.</p>
          </Confirm>
        )}
      </div>
    </form>
  );
}
