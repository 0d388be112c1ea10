import type { PasskeyStatus } from "../../../../../../shared/contract/passkey.js";
import { sessionCall, type SessionName } from "../../../api/session-call.js";
import { CopyButton } from "../../../ui/copy-button.js";
import { FailureNotice } from "../../../ui/notice.js";
import { useLoaded } from "../../../ui/use-loaded.js";

const steps = {
  none: "Nothing is asked for any more.",
  challenge: "The platform asks for the account's passkey. Only a browser of the account's owner can answer, on the platform's own page.",
  sent: "The passkey has answered. The platform and the phone go on.",
  confirm: "The owner compares this code with the phone's, and confirms it on the page below.",
  done: "The account is linked.",
  failed: "The account was not linked.",
} as const satisfies Record<PasskeyStatus["state"], string>;

/** The account's passkey is asked for. Its owner answers on a page of this router that guides, whose address stands for this linking and for nothing else. `hint` is another at each step. */
export function PasskeyCard({ session, hint }: { session: SessionName; hint: string }) {
  const { value, failure, reload } = useLoaded(
    (signal) => sessionCall<PasskeyStatus>(session, "GET /session/passkey", { signal }),
    [session.id, hint],
  );
  if (value === undefined) return failure === undefined ? null : <FailureNotice failure={failure} onRetry={reload} />;
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
              The page that guides
            </a>{" "}
            needs no key. Give its address to the account's owner and to nobody else, until {new Date(value.expires).toLocaleTimeString()}.
          </p>
          <p class="with-copy">
            <CopyButton text={address} what="address of the page" />
          </p>
        </>
      )}
    </section>
  );
}
