import { call } from "../../../api/call.js";
import type { SessionWay } from "../../../api/rows.js";
import { may } from "../../../sign-in/who.js";
import { ProxyForm } from "../../../ui/proxy-form.js";
import type { TabProps } from "../tab-props.js";

/** What the session's connections go through. */
export function SessionProxy({ session, row: { proxy }, reload }: Pick<TabProps, "session" | "row" | "reload">) {
  if (proxy === undefined || !may("operate-session")) return null;
  const route = `/admin/sessions/${session.id}/proxy` as const;
  return (
    <ProxyForm
      shown={wayText(proxy)}
      removable={proxy.of === "session" || proxy.of === "key"}
      told="The session connects anew, with the login that it has."
      put={(given, signal) =>
        given === undefined ? call(`DELETE ${route}`, { signal }) : call(`PUT ${route}`, { body: { proxy: given }, signal })
      }
      onDone={reload}
    />
  );
}

const whose = { session: "its own", key: "that of the key that created it", tenant: "its tenant's" };

export function wayText({ of, address }: SessionWay): string {
  if (of === "none") return "It goes through none.";
  return `It goes through ${whose[of]}${address === "" ? "" : `, ${address}`}.`;
}
