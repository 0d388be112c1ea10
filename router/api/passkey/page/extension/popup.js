import { signChallenge } from "./answer.js";

const platform = "https://web.whatsapp.com";
const at = (id) => document.getElementById(id);

// Only a ticket that a person pastes here starts a linking. No page can start one.
at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("told").textContent = await link(at("ticket").value).catch((error) => `That did not work: ${error.message}`);
  if (at("told").textContent === "") window.close();
});

/**
 * Starts the linking in the tab, which then shows everything, because a dialog there closes this window.
 * Resolves with the reason of a failure, or an empty text.
 */
async function link(text) {
  const ticket = ticketIn(text);
  if (ticket === undefined) return "This is no ticket. Copy it from the page that guides you.";
  if (ticket.until <= Date.now()) return "The time for this ticket is over. The page that guides you says how it goes on.";
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  // The browser hides the addresses of other pages from the extension.
  if (!tab?.url?.startsWith(`${platform}/`)) return `This tab shows another page. Open ${platform} in it, and press the extension there.`;
  await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: signChallenge, args: [ticket.options, ticket.back] });
  return "";
}

function ticketIn(text) {
  try {
    const { options, back, until } = JSON.parse(text);
    // Another kind of address could be a script, which would run as the platform's own.
    const leadsBack = typeof back === "string" && /^https?:\/\//.test(back) && URL.canParse(back);
    return typeof options === "object" && leadsBack && Number.isFinite(until) ? { options, back, until } : undefined;
  } catch {
    return undefined;
  }
}
