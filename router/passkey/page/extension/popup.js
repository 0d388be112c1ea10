import { answerChallenge } from "./answer.js";

// Only what a person pastes here begins anything: no page can.
document.getElementById("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = document.getElementById("told");
  try {
    const { options, back } = JSON.parse(document.getElementById("ticket").value);
    const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
    await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: answerChallenge, args: [options, back] });
    window.close();
  } catch (error) {
    told.textContent = `That did not work: ${error.message}`;
  }
});
