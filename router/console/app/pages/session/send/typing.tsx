import { useState } from "preact/hooks";
import { typingTypes, type TypingType } from "../../../../../../shared/contract/typing.js";
import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { Button } from "../../../ui/button.js";
import { Choice } from "../../../ui/field.js";
import { FailureNotice, Notice } from "../../../ui/notice.js";
import { useAction } from "../../../ui/use-action.js";

const names: Readonly<Record<TypingType, string>> = { text: "Typing", audio: "Recording audio" };

/** POST /typing to the message's recipient. */
export function Typing({ session, kind, to }: { session: SessionName; kind: string; to: string }) {
  const [type, setType] = useState<TypingType>("text");
  const action = useAction(async (signal) => await sessionCall(session, "POST /typing", { body: { [kind]: to, type }, signal }));
  return (
    <section class="card" aria-labelledby="typing-title">
      <h2 id="typing-title">Typing indicator</h2>
      <p class="soft">The recipient sees this for about 5 seconds.</p>
      <Choice label="Indicator" value={type} onChange={setType} options={typingTypes.map((value) => ({ value, label: names[value] }))} />
      {action.failure !== undefined && <FailureNotice failure={action.failure} doing="send typing indicator" />}
      {action.done !== undefined && <Notice kind="good">Shown</Notice>}
      <div class="actions">
        <Button busy={action.busy} disabled={to === ""} onClick={() => action.run()}>
          Send
        </Button>
      </div>
    </section>
  );
}
