import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button } from "../../ui/button.js";
import { CopyButton } from "../../ui/copy-button.js";
import { Notice } from "../../ui/notice.js";

/** Response of `POST /session`. */
export interface Credentials {
  readonly id: string;
  readonly sessionId: string;
}

/** Credentials of the session that was just created, until its page is left. The gateway stores only a hash. */
const created = signal<Credentials | undefined>(undefined);

export function keepSecret(made: Credentials): void {
  created.value = made;
}

/** Returns the secret of a session that was just created. */
export function newSecretOf(id: string): string | undefined {
  return created.value?.id === id ? created.value.sessionId : undefined;
}

/** Shows the secret of a new session on the session's page. */
export function NewSecret({ id }: { id: string }) {
  useEffect(() => forget, [id]);
  if (created.value?.id !== id) return null;
  return (
    <div class="stack">
      <SecretNotice {...created.value} />
      <div class="actions">
        <Button onClick={() => forget()}>Done</Button>
      </div>
    </div>
  );
}

function forget(): void {
  created.value = undefined;
}

/** Shows the id and secret with which a program calls the session. */
export function SecretNotice({ id, sessionId }: Credentials) {
  return (
    <Notice kind="good" title="Session created">
      <p>Copy the session secret now. You won't be able to see it again.</p>
      <dl class="facts">
        <dt>Session ID</dt>
        <dd class="with-copy">
          <code>{id}</code>
          <CopyButton text={id} what="session ID" />
        </dd>
        <dt>Session secret</dt>
        <dd class="with-copy">
          <code>{sessionId}</code>
          <CopyButton text={sessionId} what="session secret" />
        </dd>
      </dl>
    </Notice>
  );
}
