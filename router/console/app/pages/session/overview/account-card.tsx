import type { SessionRecord } from "../../../../../../shared/contract/session.js";
import { telegramIsOff } from "../../../../../../shared/contract/telegram/telegram-is-off.js";
import { disconnectedMs } from "../../../../../../shared/limits.js";
import type { SessionRow } from "../../../api/rows.js";
import { to } from "../../../route/match-route.js";
import { Avatar } from "../../../ui/avatar.js";
import { Icon } from "../../../ui/icon.js";
import { Notice } from "../../../ui/notice.js";
import { TimeLeft } from "./time-left.js";

/** Shows the account. A disconnected session reconnects by itself, and is deleted if that takes too long. */
export function AccountCard({ row, record }: { row: SessionRow; record: SessionRecord | undefined }) {
  const { name, phone } = row;
  return (
    <section class="card" aria-labelledby="account-title">
      <h2 id="account-title">Account</h2>
      <div class="account">
        <Avatar name={name} picture={record?.picture ?? ""} />
        <dl class="facts">
          <dt>Name</dt>
          <dd>{name === "" ? "Not set" : name}</dd>
          {record !== undefined && record.username !== "" && (
            <>
              <dt>Username</dt>
              <dd>@{record.username}</dd>
            </>
          )}
          <dt>Phone</dt>
          <dd>{phone === "" ? "Hidden" : phone}</dd>
          {record !== undefined && (
            <>
              <dt>Account ID</dt>
              <dd class="mono">{record.generatedId}</dd>
            </>
          )}
        </dl>
      </div>
      {row.state === "connected" && record !== undefined && (
        <div class="actions">
          <a class="button primary" href={to("/sessions/:id/:tab", { id: row.id, tab: "send" })}>
            <Icon name="send" />
            Send message
          </a>
          <a class="button" href={to("/sessions/:id/:tab", { id: row.id, tab: "story" })}>
            {row.platform === "telegram" ? "Post story" : "Post status"}
          </a>
        </div>
      )}
      {row.state === "disconnected" && (
        <Notice kind="warn" title={row.lastError === "" ? "Disconnected" : row.lastError}>
          {row.lastError === telegramIsOff ? (
            <p>The session is kept, and reconnects when the gateway has a Telegram application.</p>
          ) : (
            <>
              <p>Reconnecting automatically. API calls for this session fail until it's back.</p>
              <TimeLeft since={row.since} lastsMs={disconnectedMs} before="Will be removed in" after="if it can't reconnect" />
            </>
          )}
        </Notice>
      )}
    </section>
  );
}
