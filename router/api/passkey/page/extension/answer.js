/**
 * Signs a challenge with a passkey on the platform's page and returns the result to `back`. It stands alone, as it also runs as a bookmark.
 * The result goes back in an address after `#`, because the platform's pages may send requests only to the platform.
 */
export async function signChallenge(options, back) {
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
