import { call } from "../../../api/call.js";
import type { ProxyInUse } from "../../../api/rows.js";
import { ProxyForm } from "../../../ui/proxy-form.js";
import type { TabProps } from "../tab-props.js";

/** Shows and changes the session's proxy. */
export function SessionProxy({ session, row: { proxy }, reload }: Pick<TabProps, "session" | "row" | "reload">) {
  if (proxy === undefined) return null;
  const route = `/admin/sessions/${session.id}/proxy` as const;
  return (
    <ProxyForm
      shown={wayText(proxy)}
      removable={proxy.of === "session" || proxy.of === "key"}
      consequence="The session reconnects; no new login needed."
      put={(given, signal) =>
        given === undefined ? call(`DELETE ${route}`, { signal }) : call(`PUT ${route}`, { body: { proxy: given }, signal })
      }
      onDone={reload}
    />
  );
}

const whose = { session: "this session's proxy", key: "the proxy of the API key that created it", tenant: "the tenant's proxy" };

export function wayText({ of, address }: ProxyInUse): string {
  if (of === "none") return "No proxy.";
  return `Using ${whose[of]}${address === "" ? "" : `: ${address}`}`;
}
