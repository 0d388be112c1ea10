import { answerChallenge } from "/passkey/extension/answer.js";

// `#id.token` of one linking, and `#id.token.answer` when the browser comes back with the passkey's answer. Nothing of it is ever part of a request's address.
const [id = "", token = "", ...rest] = location.hash.slice(1).split(".");
const answer = rest.join(".");
const endpoint = (await (await fetch("/passkey/settings.json")).json()).endpoint;
const credentials = { id, "passkey-token": token };
const at = (name) => document.getElementById(name);
const pauseMs = 2_000;

const told = {
  none: "Nothing is asked for. Scan or type the code on your phone first.",
  challenge: "Your passkey is asked for.",
  sent: "Your answer is with WhatsApp. Look at your phone.",
  confirm: "One step is left: compare a code.",
  done: "The account is linked. You can close this page.",
};

async function ask(path, body) {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { ...credentials, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const response = await fetch(endpoint + path, { ...init, headers });
  const answered = await response.json();
  if (!response.ok) throw Object.assign(new Error(answered.message), { status: response.status });
  return answered;
}

function show({ state, options, code, expires, reason }) {
  at("told").textContent = state === "failed" ? `The account was not linked: ${reason}` : told[state];
  at("challenge").hidden = state !== "challenge";
  at("confirm").hidden = state !== "confirm";
  at("code").textContent = code;
  if (state !== "challenge") return;
  const back = `${location.origin}/passkey#${id}.${token}.`;
  const line = `(${answerChallenge})(${JSON.stringify(options)},${JSON.stringify(back)})`;
  at("until").textContent = new Date(expires).toLocaleTimeString();
  at("line").value = line;
  at("bookmark").href = `javascript:${encodeURIComponent(line)}`;
  at("ticket").value = JSON.stringify({ options, back });
}

for (const name of ["line", "ticket"]) at(`copy-${name}`).addEventListener("click", () => navigator.clipboard.writeText(at(name).value));
at("same").addEventListener("click", async () => {
  at("same").disabled = true;
  await ask("/confirm", {}).catch((error) => (at("told").textContent = error.message));
});

/** Why it did not go on; kept on the page, since what follows would hide it. */
let refused = "";

async function follow() {
  for (;;) {
    try {
      const status = await ask("");
      show(status);
      if (refused !== "" && status.state === "challenge") at("told").textContent = `That answer was refused: ${refused}. Try again.`;
      if (status.state === "done" || status.state === "failed") return;
    } catch (error) {
      // With the attempt its token is gone: linked, given up, or another one.
      at("challenge").hidden = at("confirm").hidden = true;
      at("told").textContent =
        error.status === 404
          ? "This linking is over. If your phone lists the new device, it is linked; else ask whoever gave you this page."
          : error.message;
      if (error.status === 404) return;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

if (answer !== "") {
  // Not in the history, and not sent twice when the page is loaded again.
  history.replaceState(null, "", `/passkey#${id}.${token}`);
  await ask("", { credential: JSON.parse(decodeURIComponent(answer)) }).catch((error) => (refused = error.message));
}
await follow();
