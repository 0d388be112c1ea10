import { answerChallenge } from "./answer.js";

const platform = "https://web.whatsapp.com";
const at = (id) => document.getElementById(id);

// Only what a person pastes here begins anything: no page can.
at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("told").textContent = await answer(at("ticket").value).catch((error) => `That did not work: ${error.message}`);
  if (at("told").textContent === "") window.close();
});

/** Resolves to why it did not begin; to an empty text once it did. From then on the tab asks and tells: a browser closes this window as soon as the tab does. */
async function answer(text) {
  const ticket = ticketIn(text);
  if (ticket === undefined) return "This is no ticket. Copy it from the page that guides you.";
  if (ticket.until <= Date.now()) return "The time for this ticket is over. The page that guides you says how it goes on.";
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  // Of other pages the browser does not say where they are.
  if (!tab?.url?.startsWith(`${platform}/`)) return `This tab shows another page. Open ${platform} in it, and press the extension there.`;
  await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: answerChallenge, args: [ticket.options, ticket.back] });
  return "";
}

function ticketIn(text) {
  try {
    const { options, back, until } = JSON.parse(text);
    // An address of another kind would be a script, and run as the platform's own.
    const leadsBack = typeof back === "string" && /^https?:\/\//.test(back) && URL.canParse(back);
    return typeof options === "object" && leadsBack && Number.isFinite(until) ? { options, back, until } : undefined;
  } catch {
    return undefined;
  }
}
