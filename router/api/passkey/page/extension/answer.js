/**
 * Answers a challenge with a passkey on the page of the platform, and brings the answer to `back`. It runs there, as a bookmark, as a line in the developer tools or by the extension, so it stands alone. It goes back by
 * an address and not by a request: the platform's pages may ask nobody but the platform, and what stands behind `#` reaches no server and no log.
 */
export async function answerChallenge(options, back) {
  if (location.origin !== "https://web.whatsapp.com") {
    alert("This works on https://web.whatsapp.com alone. Open that page and try again.");
    return;
  }
  if (!confirm(`Link this WhatsApp account to a device of ${new URL(back).host}? Go on only if you asked for it there.`)) return;
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    location.assign(back + encodeURIComponent(JSON.stringify(credential.toJSON())));
  } catch (error) {
    alert(`The passkey did not answer: ${error.message}`);
  }
}
