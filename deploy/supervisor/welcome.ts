import { pathPrefix } from "../../shared/process/settings.js";
import type { Secrets } from "./secrets.js";
import { ownSandbox, plannedPorts, runsSandbox, type SupervisorSettings } from "./settings.js";

/** What stands on the terminal when everything is ready: addresses, the console with what signs in there once, the generated key, and on the sandbox a first login to paste. */
export function welcome(settings: SupervisorSettings, secrets: Secrets, signInCode: string | undefined): string {
  const { ports, routers, platforms, shared } = settings;
  const local = `http://127.0.0.1:${ports.http}`;
  const telegram = `${local}${pathPrefix(shared.baseUrls.telegram)}`;
  const onSandbox = platforms === "sandbox";
  const hasSandbox = runsSandbox(settings);
  const admin = plannedPorts(settings).flatMap(({ port, owner }) =>
    owner.startsWith("admin of ") ? [`${port} ${owner.slice("admin of ".length)}`] : [],
  );
  return [
    "",
    onSandbox ? "Trunkline is ready, on the sandbox: no real platform is reached." : "Trunkline is ready, on the live platforms.",
    "",
    ...(signInCode === undefined
      ? [`  console    ${local}/console`]
      : [
          `  console    ${local}/console#code=${signInCode}`,
          "             signs in once, within 15 minutes; afterwards with the admin key",
        ]),
    `  telegram   ${telegram}`,
    `  whatsapp   ${local}${pathPrefix(shared.baseUrls.whatsapp)}`,
    ...(routers > 1 ? [`  routers    ports ${ports.http} to ${ports.http + routers - 1}, one each`] : []),
    `  admin      /healthz /readyz /metrics on ${admin.join(", ")}`,
    ...(hasSandbox ? [`  sandbox    ${ownSandbox(settings)}`] : []),
    ...(secrets.adminKey === undefined ? [] : [`  admin key  ${secrets.adminKey}`]),
    `  data       ${settings.dataDir}`,
    ...(hasSandbox
      ? [
          "",
          "Log in as alice (paste into bash; needs curl and node):",
          "",
          ...firstLogin(telegram, ownSandbox(settings), secrets.adminKey ?? "<a key of API_KEYS>"),
        ]
      : []),
    "",
  ].join("\n");
}

/** Five lines: create a session, wait for its QR, scan it with alice's phone, wait for the connection, list her groups. */
function firstLogin(base: string, sandbox: string, key: string): string[] {
  const json = "JSON.parse(fs.readFileSync(0))";
  const field = (name: string): string => `node -pe '${json}.${name}'`;
  const session = `curl -s "\${AUTH[@]}" $BASE/session`;
  return [
    `BASE=${base}; NEW=$(curl -s -X POST -H 'x-api-key: ${key}' $BASE/session); AUTH=(-H "id: $(${field("id")} <<< "$NEW")" -H "session-id: $(${field("sessionId")} <<< "$NEW")")`,
    `until QR=$(${session} | ${field("qrcode")}); [ -n "$QR" ]; do sleep 1; done`,
    `curl -s -H 'content-type: application/json' -d '{"platform":"telegram","account":"alice","qrcode":"'$QR'"}' ${sandbox}/phone/scan; echo`,
    `until [ "$(${session} | ${field("isConnected")})" = true ]; do sleep 1; done; echo isConnected: true`,
    `curl -s "\${AUTH[@]}" $BASE/group | node -pe '${json}.docs.map(({ id, name }) => id + " " + name).join("\\n")'`,
  ];
}
