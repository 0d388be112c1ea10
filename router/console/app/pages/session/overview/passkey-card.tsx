import type { PasskeyStatus } from "../../../../../../shared/contract/passkey.js";
import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { CopyButton } from "../../../ui/copy-button.js";
import { clockText } from "../../../ui/instant-text.js";
import { FailureNotice } from "../../../ui/notice.js";
import { useLoaded } from "../../../ui/use-loaded.js";

const steps = {
  none: "No passkey is needed right now.",
  challenge: "WhatsApp requires the account's passkey. Only the account owner can confirm it, in their own browser on WhatsApp's website.",
  sent: "Passkey accepted. Finishing the link…",
  confirm: "Check that your phone shows this code, then confirm it on the page below.",
  done: "The account is linked.",
  failed: "The account couldn't be linked.",
} as const satisfies Record<PasskeyStatus["state"], string>;

/**
 * Shows the address of the page on which the account's owner confirms the passkey. The address works for this linking only. A new `hint`
 * marks each step.
 */
export function PasskeyCard({ session, hint }: { session: SessionName; hint: string }) {
  const { value, failure, reload } = useLoaded(
    (signal) => sessionCall<PasskeyStatus>(session, "GET /session/passkey", { signal }),
    [session.id, hint],
  );
  if (value === undefined)
    return failure === undefined ? null : <FailureNotice failure={failure} doing="load passkey status" onRetry={reload} />;
  const address = `${location.origin}/passkey#${session.id}.${value.token}`;
  return (
    <section class="card" aria-labelledby="passkey-title">
      <h2 id="passkey-title">Passkey</h2>
      <p role="status">{steps[value.state]}</p>
      {value.code !== "" && <p class="pairing-code">{value.code}</p>}
      {value.token !== "" && (
        <>
          <p>
            <a href={address} target="_blank" rel="noreferrer">
              Open passkey guide
            </a>
            . It needs no API key. Send the link to the account owner only. It is valid until {clockText(value.expires)}.
          </p>
          <p class="with-copy">
            <CopyButton text={address} what="link" />
          </p>
        </>
      )}
    </section>
  );
}
