import { useState } from "preact/hooks";
import { Button } from "../ui/button.js";
import { Field } from "../ui/field.js";
import { FailureNotice, Notice } from "../ui/notice.js";
import { useAction } from "../ui/use-action.js";
import { whySignedOut } from "./key.js";
import { signIn } from "./who.js";

/** Form for an API key. The key is kept in this tab only. */
export function SignInPage() {
  const [key, setKey] = useState("");
  const action = useAction(async () => signIn(key.trim()));
  return (
    <main class="sign-in">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          action.run();
        }}
      >
        <p class="brand">
          <img src="/console/icon.svg" alt="" width="32" height="32" /> Trunkline
        </p>
        <h1>Sign in</h1>
        {whySignedOut.value !== "" && <Notice kind="warn">{whySignedOut.value}</Notice>}
        <Field
          label="API key"
          type="password"
          value={key}
          onInput={setKey}
          focus
          hint="Paste an API key. It is kept in this tab only and cleared when you close it. On a local sandbox, npm start prints one."
        />
        {action.failure?.status === 401 && <Notice kind="bad">That API key isn't valid.</Notice>}
        {action.failure !== undefined && action.failure.status !== 401 && <FailureNotice failure={action.failure} doing="sign in" />}
        <Button type="submit" kind="primary" busy={action.busy}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
