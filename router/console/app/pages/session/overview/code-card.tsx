import { qrValidityMs } from "../../../../../../shared/limits.js";
import { settings } from "../../../api/settings.js";
import { platformNames } from "../../../ui/badge.js";
import { CopyButton } from "../../../ui/copy-button.js";
import { Notice } from "../../../ui/notice.js";
import type { TabProps } from "../tab-props.js";
import { PasskeyCard } from "./passkey-card.js";
import { SandboxPhone } from "./sandbox-phone.js";
import { TimeLeft } from "./time-left.js";

const whereToScan = {
  telegram: ["Open Telegram on your phone.", "Go to Settings › Devices › Link Desktop Device.", "Scan this code."],
  whatsapp: ["Open WhatsApp on your phone.", "Go to Linked devices › Link a device.", "Scan this code."],
} as const;
const whereToType = [
  "Open WhatsApp on your phone.",
  "Go to Linked devices › Link a device › Link with phone number instead.",
  "Enter this code.",
] as const;

/** The code that the phone is to see, or that is to be typed into it. It is new twice a minute; the time below is that of the session. */
export function CodeCard({ row, record, session, reload }: TabProps) {
  const { qrcode = "", pairingCode = "", passwordHint = "" }: Partial<NonNullable<TabProps["record"]>> = record ?? {};
  if (record === undefined) return <Notice kind="info">Waiting for a phone. Your key can't view the code.</Notice>;
  if (passwordHint.endsWith("(GET /session/passkey)")) return <PasskeyCard session={session} hint={passwordHint} />;
  if (passwordHint !== "") return <Refused reason={passwordHint} since={row.since} />;
  const steps = pairingCode === "" ? whereToScan[session.platform] : whereToType;
  return (
    <section class="card" aria-labelledby="code-title">
      <h2 id="code-title">Link your phone</h2>
      <div class="login">
        <div class="qr">
          {pairingCode === "" ? <Qr code={qrcode} platform={platformNames[session.platform]} /> : <PairingCode code={pairingCode} />}
          <TimeLeft since={row.since} lastsMs={qrValidityMs} />
        </div>
        <div class="stack">
          <ol class="steps">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <p class="soft">{pairingCode === "" && "The code refreshes automatically. "}This page updates as soon as your phone is linked.</p>
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
          <span class="spinner" aria-hidden="true" /> Getting a code from {platform}…
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
      <h2 id="refused-title">No code available</h2>
      <Notice kind="warn" title={reason}>
        {byPasskey && <p>A passkey only works in the account owner's own browser, on WhatsApp's website.</p>}
      </Notice>
      {byPasskey && <TimeLeft since={since} lastsMs={qrValidityMs} />}
    </section>
  );
}
