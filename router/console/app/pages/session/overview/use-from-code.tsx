import { useState } from "preact/hooks";
import type { SessionName } from "../../../api/session-call.js";
import { settings } from "../../../api/settings.js";
import { Choice } from "../../../ui/field.js";
import { CopyButton } from "../../../ui/copy-button.js";
import { newSecretOf } from "../../new-session/new-secret.js";
import { CodeText } from "../code-text.js";
import { curlText, nodeText } from "../request-code.js";
import { sampleCall } from "./sample-call.js";

const languages = [
  { value: "curl", label: "curl" },
  { value: "Node.js", label: "Node.js" },
] as const;
const textOf = { curl: curlText, "Node.js": nodeText } as const;

/** Shows what a program needs in order to send a message with the session. */
export function UseFromCode({ session }: { session: SessionName }) {
  const [language, setLanguage] = useState<keyof typeof textOf>("curl");
  const secret = newSecretOf(session.id);
  const { prefixes, sandbox } = settings();
  const call = sampleCall(session, { base: `${location.origin}${prefixes[session.platform]}`, secret, isSandbox: sandbox !== null });
  return (
    <section class="card" aria-labelledby="use-title">
      <h2 id="use-title">Use it from code</h2>
      <dl class="facts">
        <dt>Session ID</dt>
        <dd class="with-copy">
          <code>{session.id}</code>
          <CopyButton text={session.id} what="session ID" />
        </dd>
        <dt>Session secret</dt>
        {secret === undefined ? (
          <dd>Shown only when the session was created</dd>
        ) : (
          <dd class="with-copy">
            <code>{secret}</code>
            <CopyButton text={secret} what="session secret" />
          </dd>
        )}
      </dl>
      <Choice label="Send a message with" value={language} options={languages} onChange={setLanguage} />
      <CodeText text={textOf[language](call)} label={`Sends a message with ${language}`} what="code" />
      {secret === undefined && (
        <p class="hint">
          Set <code>SESSION_SECRET</code> to the secret first. If it is lost, create a new session to get a new secret, or send the header{" "}
          <code>x-api-key</code> with an API key of this tenant instead of <code>session-id</code>.
        </p>
      )}
    </section>
  );
}
