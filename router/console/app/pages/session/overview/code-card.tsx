import { qrValidityMs } from "../../../../../../shared/limits.js";
import { settings } from "../../../api/settings.js";
import { platformNames } from "../../../ui/badge.js";
import { CopyButton } from "../../../ui/copy-button.js";
import { Notice } from "../../../ui/notice.js";
import type { TabProps } from "../tab-props.js";
import { PasskeyCard } from "./passkey-card.js";
import { SandboxPhone } from "./sandbox-phone.js";
import { TimeLeft } from "./time-left.js";

/** Variant A's record has a code of its own beside the document's fields. */
type WithPairingCode = TabProps["record"] & { readonly pairingCode?: string };

const whereToScan = {
  telegram: ["Open Telegram on the phone.", "Settings, Devices, Link desktop device.", "Point the camera at this code."],
  whatsapp: ["Open WhatsApp on the phone.", "Linked devices, Link a device.", "Point the camera at this code."],
} as const;
const whereToType = [
  "Open WhatsApp on the phone.",
  "Linked devices, Link a device, Link with phone number instead.",
  "Type this code.",
] as const;

/** The code that the phone is to see, or that is to be typed into it. It is new twice a minute; the time below is that of the session. */
export function CodeCard({ row, record, session, reload }: TabProps) {
  const { qrcode = "", pairingCode = "", passwordHint = "" }: Partial<NonNullable<WithPairingCode>> = record ?? {};
  if (record === undefined) return <Notice kind="info">Waits for a phone. Your key may not see its code.</Notice>;
  if (passwordHint.endsWith("(GET /session/passkey)")) return <PasskeyCard session={session} hint={passwordHint} />;
  if (passwordHint !== "") return <Refused reason={passwordHint} since={row.since} />;
  const steps = pairingCode === "" ? whereToScan[session.platform] : whereToType;
  return (
    <section class="card" aria-labelledby="code-title">
      <h2 id="code-title">Link the phone</h2>
      <div class="login">
        <div class="qr">
          {pairingCode === "" ? <Qr code={qrcode} platform={platformNames[session.platform]} /> : <PairingCode code={pairingCode} />}
          <TimeLeft since={row.since} lastsMs={qrValidityMs} what="Deleted if nobody links it in" />
        </div>
        <div class="stack">
          <ol class="steps">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <p class="soft">
            {pairingCode === "" && "The code changes by itself about twice a minute. "}This page goes on as soon as the phone is linked.
          </p>
          {settings().sandbox !== null && <SandboxPhone session={session} qrcode={qrcode} pairingCode={pairingCode} onDone={reload} />}
        </div>
      </div>
    </section>
  );
}

function Qr({ code, platform }: { code: string; platform: string }) {
  return (
    <div class="qr-frame">
      {code === "" ? (
        <p role="status">
          <span class="spinner" aria-hidden="true" /> Asking {platform} for a code …
        </p>
      ) : (
        <img src={`data:image/png;base64,${code}`} alt={`QR code to scan with ${platform}`} />
      )}
    </div>
  );
}

function PairingCode({ code }: { code: string }) {
  return (
    <p class="with-copy">
      <span class="pairing-code">{code}</span>
      <CopyButton text={code} what="pairing code" />
    </p>
  );
}

/** The platform does not let this device in, or the stored login cannot be opened. From then on there is no code that anybody could use. */
function Refused({ reason, since }: { reason: string; since: string }) {
  const byPasskey = reason.includes("passkey");
  return (
    <section class="card" aria-labelledby="refused-title">
      <h2 id="refused-title">There is no code to scan</h2>
      <Notice kind="warn" title={reason}>
        {byPasskey && <p>A passkey lives in the phone and in browsers of its owner, and answers on the platform's own pages alone.</p>}
      </Notice>
      {byPasskey && <TimeLeft since={since} lastsMs={qrValidityMs} what="Deleted in" />}
    </section>
  );
}
