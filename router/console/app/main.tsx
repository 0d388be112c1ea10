import "./style/index.css";
import { render } from "preact";
import { loadSettings } from "./api/settings.js";
import { Console } from "./layout/console.js";
import "./layout/theme.js";
import { startLiveEvents } from "./live/live-events.js";
import { currentKey } from "./sign-in/key.js";
import { signInByLink, takeCode } from "./sign-in/sign-in-by-link.js";
import { signInAgain } from "./sign-in/who.js";

const root = document.getElementById("app");

/** The key of this tab, or none: a gateway without keys lets this machine in. Who is not let in sees the sign-in. */
async function begin(): Promise<void> {
  const code = takeCode();
  const signedIn = code === undefined ? signInAgain(currentKey()) : signInByLink(code);
  await Promise.all([loadSettings(), signedIn]);
  startLiveEvents();
  if (root !== null) render(<Console />, root);
}

begin().catch(() => {
  if (root !== null) root.textContent = "Can't reach the gateway. Reload to try again.";
});
