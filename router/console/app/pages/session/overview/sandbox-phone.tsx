import { useState } from "preact/hooks";
import { call } from "../../../api/call.js";
import type { SessionName } from "../../../api/session-call.js";
import { Button } from "../../../ui/button.js";
import { Select } from "../../../ui/field.js";
import { FailureNotice } from "../../../ui/notice.js";
import { useAction } from "../../../ui/use-action.js";
import type { SandboxAccount } from "../sandbox-account.js";
import { useSandboxAccounts } from "../use-sandbox-accounts.js";

export interface SandboxPhoneProps {
  readonly session: SessionName;
  readonly qrcode: string;
  readonly pairingCode: string;
  readonly onDone: () => void;
}

/** Holds the phone of one of the sandbox's people before the code. */
export function SandboxPhone({ session, qrcode, pairingCode, onDone }: SandboxPhoneProps) {
  const [account, setAccount] = useState("alice");
  const { value } = useSandboxAccounts(session.platform);
  const action = useAction(async (signal) => {
    const who = { platform: session.platform, account };
    if (pairingCode === "") await call("POST /console/sandbox/scan", { body: { ...who, qrcode }, signal });
    else await call("POST /console/sandbox/code", { body: { ...who, code: pairingCode }, signal });
    onDone();
  });
  const accounts: readonly Pick<SandboxAccount, "account" | "name" | "password">[] = value ?? [{ account }];
  const password = accounts.find((known) => known.account === account)?.password ?? "";
  return (
    <div class="sandbox-phone">
      <p>
        <strong>Sandbox.</strong> No phone needed. Scan with a simulated account.
      </p>
      <div class="with-button">
        <Select
          label="Account"
          value={account}
          onChange={setAccount}
          options={accounts.map((known) => ({ value: known.account, label: [known.account, known.name].filter(Boolean).join(" · ") }))}
        />
        <Button kind="primary" icon="phone" busy={action.busy} disabled={qrcode === "" && pairingCode === ""} onClick={() => action.run()}>
          {pairingCode === "" ? "Scan as" : "Enter code as"} {account}
        </Button>
      </div>
      {password !== "" && (
        <p class="hint">
          This account has a password: <code>{password}</code>
        </p>
      )}
      {action.failure !== undefined && <FailureNotice failure={action.failure} doing="link account" />}
    </div>
  );
}
