import { useState } from "preact/hooks";
import { passwordWaitMs } from "../../../../../../shared/limits.js";
import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { Button } from "../../../ui/button.js";
import { Field } from "../../../ui/field.js";
import { FailureNotice } from "../../../ui/notice.js";
import { useAction } from "../../../ui/use-action.js";
import { TimeLeft } from "./time-left.js";

/** POST /session/password: the account's own, of its two-step verification. */
export function PasswordCard({ session, hint, since, onDone }: { session: SessionName; hint: string; since: string; onDone: () => void }) {
  const [password, setPassword] = useState("");
  const [shown, setShown] = useState(false);
  const action = useAction(async (signal) => {
    await sessionCall(session, "POST /session/password", { body: { password }, signal });
    setPassword("");
    onDone();
  });
  return (
    <form
      class="card"
      aria-labelledby="password-title"
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      <h2 id="password-title">Two-step verification</h2>
      <p class="soft">The code was scanned. This account is also protected by a password.</p>
      <Field
        label="Password"
        type={shown ? "text" : "password"}
        value={password}
        onInput={setPassword}
        hint={hint === "" ? "No password hint set." : `Hint: ${hint}`}
        fault={action.failure?.status === 400 ? action.failure.message : undefined}
        focus
      />
      <label class="check">
        <input type="checkbox" checked={shown} onChange={() => setShown(!shown)} /> Show password
      </label>
      {action.failure !== undefined && action.failure.status !== 400 && <FailureNotice failure={action.failure} doing="submit password" />}
      <div class="actions">
        <Button type="submit" kind="primary" busy={action.busy}>
          Continue
        </Button>
      </div>
      <TimeLeft since={since} lastsMs={passwordWaitMs} />
    </form>
  );
}
