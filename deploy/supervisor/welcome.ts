import { resolve } from "node:path";
import { pathPrefix } from "../../shared/process/settings.js";
import type { Secrets } from "./secrets.js";
import { ownSandbox, plannedPorts, runsSandbox, type SupervisorSettings } from "./settings.js";

/**
 * Returns the text that the terminal shows after the start: addresses, the console link, the generated key and, on the sandbox, a first
 * message.
 */
export function welcome(settings: SupervisorSettings, secrets: Secrets, signInCode: string | undefined): string {
  const { ports, routers, platforms, shared } = settings;
  const local = `http://127.0.0.1:${ports.http}`;
  const telegram = `${local}${pathPrefix(shared.baseUrls.telegram)}`;
  const onSandbox = platforms === "sandbox";
  const hasSandbox = runsSandbox(settings);
  // The command line finds the address and a key in the data folder.
  const trunkline = settings.dataDir === resolve(".data") ? "npx trunkline" : `npx trunkline --data-dir "${settings.dataDir}"`;
  const admin = plannedPorts(settings).flatMap(({ port, owner }) =>
    owner.startsWith("admin of ") ? [`${port} ${owner.slice("admin of ".length)}`] : [],
  );
  return [
    "",
    onSandbox ? "Trunkline is ready (sandbox mode, no real accounts)." : "Trunkline is ready (live platforms).",
    "",
    ...(signInCode === undefined
      ? [`  console    ${local}/console`]
      : [`  console    ${local}/console#code=${signInCode}`, "             one-time sign-in link, valid for 15 minutes"]),
    `  telegram   ${settings.telegramApiId === undefined ? telegramIsOff : telegram}`,
    `  whatsapp   ${local}${pathPrefix(shared.baseUrls.whatsapp)}`,
    ...(routers > 1 ? [`  routers    ports ${ports.http} to ${ports.http + routers - 1}, one each`] : []),
    `  health     /healthz, /readyz and /metrics on ports ${admin.join(", ")}`,
    ...(hasSandbox ? [`  sandbox    ${ownSandbox(settings)}`] : []),
    ...(secrets.adminKey === undefined ? [] : [`  admin key  ${secrets.adminKey}`]),
    `  data       ${settings.dataDir}`,
    ...(hasSandbox
      ? [
          "",
          "Send a first message:",
          `  ${trunkline} login telegram --label alice --sandbox-scan alice`,
          `  ${trunkline} send --session alice --to @bob_sandbox --text "Hello"`,
        ]
      : []),
    ...(onSandbox ? [] : ["", "Log in a first account:", `  ${trunkline} login whatsapp --label my-account`]),
    "",
  ].join("\n");
}

const telegramIsOff = "off (set TELEGRAM_API_ID and TELEGRAM_API_HASH to turn it on)";
