import { signChallenge } from "/passkey/extension/answer.js";

// A change after `#` does not reload the page by itself.
addEventListener("hashchange", () => location.reload());

// `#id.token` of one linking attempt, with `.answer` appended when the browser returns with the passkey's response. The part after `#` is
// never sent in a request's address.
const [id = "", token = "", ...rest] = location.hash.slice(1).split(".");
const credential = rest.join(".");
const endpoint = (await (await fetch("/passkey/settings.json")).json()).endpoint;
const credentials = { id, "passkey-token": token };
const at = (name) => document.getElementById(name);
const pauseMs = 2_000;

const texts = {
  challenge: "Your passkey is asked for.",
  sent: "Your answer is with WhatsApp. Look at your phone.",
  confirm: "One step is left: compare a code.",
  done: "The account is linked. You may close this page.",
};

/** Statuses that end the linking attempt. */
const ends = {
  400: "This address is not whole. Ask whoever gave it to you for it again.",
  // The token is invalid: the attempt was abandoned or replaced, or the account was linked a while ago.
  404: "This linking is over. If your phone lists the new device, it is linked; else ask whoever gave you this page.",
};

/** How far this browser's clock is ahead of the gateway's. */
let aheadMs = 0;

async function call(path, body) {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { ...credentials, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const response = await fetch(endpoint + path, { ...init, headers });
  const sentAt = Date.parse(response.headers.get("date") ?? "");
  if (!Number.isNaN(sentAt)) aheadMs = Date.now() - sentAt;
  const reply = await response.json();
  if (!response.ok) throw Object.assign(new Error(reply.message), { status: response.status });
  return reply;
}

/** The challenge that the page guides through, whose texts stay as they are while somebody copies them. */
let guided = "";

function show({ state, options, code, expires, reason }) {
  at("told").textContent = state === "failed" ? `The account was not linked: ${reason}` : texts[state];
  at("challenge").hidden = state !== "challenge";
  at("confirm").hidden = state !== "confirm";
  at("code").textContent = code;
  if (state !== "challenge" || options.challenge === guided) return;
  guided = options.challenge;
  const until = Date.parse(expires) + aheadMs;
  const back = `${location.origin}/passkey#${id}.${token}.`;
  const line = `(${signChallenge})(${JSON.stringify(options)},${JSON.stringify(back)})`;
  at("until").textContent = new Date(until).toLocaleTimeString();
  at("line").value = line;
  at("bookmark").href = `javascript:${encodeURIComponent(line)}`;
  at("ticket").value = JSON.stringify({ options, back, until });
}

for (const name of ["line", "ticket"]) at(`copy-${name}`).addEventListener("click", () => navigator.clipboard.writeText(at(name).value));
at("same").addEventListener("click", async () => {
  at("same").disabled = true;
  await call("/confirm", {}).catch((error) => {
    at("told").textContent = error.message;
    at("same").disabled = false;
  });
});

/** Why it did not go on; kept on the page, since what follows would hide it. */
let refused = "";

async function follow() {
  for (;;) {
    try {
      const status = await call("");
      show(status);
      if (refused !== "" && status.state === "challenge") at("told").textContent = `That answer was refused: ${refused}. Try again.`;
      if (status.state === "failed" || status.state === "done") return;
    } catch (error) {
      at("challenge").hidden = at("confirm").hidden = true;
      at("told").textContent = ends[error.status] ?? error.message;
      if (error.status in ends) return;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function bring(encoded) {
  await call("", { credential: JSON.parse(decodeURIComponent(encoded)) });
}

if (credential !== "") {
  // Not in the history, and not sent twice when the page is loaded again.
  history.replaceState(null, "", `/passkey#${id}.${token}`);
  await bring(credential).catch((error) => (refused = error.message));
}
await follow();
