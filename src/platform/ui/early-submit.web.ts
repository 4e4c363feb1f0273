// A prerendered form submitted before its script loads would reload the page, with what was typed in the URL:
// early.js holds it until the form is live.

declare global {
  interface Window {
    hasLiveForms?: boolean
    earlySubmit?: SubmitEvent
  }
}

/** From now on forms handle their own submits; the one that was submitted too early is submitted now. */
export function sendEarlyForm(): void {
  window.hasLiveForms = true
  const early = window.earlySubmit
  window.earlySubmit = undefined
  if (early?.target instanceof HTMLFormElement && early.target.isConnected)
    early.target.requestSubmit(early.submitter)
}
