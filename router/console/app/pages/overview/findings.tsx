import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import type { Finding } from "./not-well.js";

export interface FindingsProps {
  readonly findings: readonly Finding[];
  readonly unknown: readonly string[];
  /** Every part was read at least once. */
  readonly isRead: boolean;
}

/** Says whether all is well, what needs attention, or that neither is known. */
export function Findings({ findings, unknown, isRead }: FindingsProps) {
  if (unknown.length > 0)
    return (
      <Notice kind="warn" title="Current status unknown">
        <p>The gateway or Redis isn't responding. This page shows the last known data and retries automatically.</p>
        <p class="sentences">{unknown.join("\n")}</p>
      </Notice>
    );
  if (findings.length === 0)
    return isRead ? (
      <p class="all-well">
        <Icon name="check" /> All systems operational
      </p>
    ) : null;
  return (
    <section class="card" aria-labelledby="findings-title">
      <h2 id="findings-title">Needs attention</h2>
      <ul class="findings">
        {findings.map(({ tone, text, address }) => (
          <li key={text} class={tone}>
            <Icon name="warn" />
            <a href={address}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
