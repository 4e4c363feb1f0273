// A form of a built page that was sent before its script came would load the page anew, with what was typed in its address:
// early.js holds it until the form is live.

declare global {
  interface Window {
    hasLiveForms?: boolean
    earlySubmit?: SubmitEvent
  }
}

/** From now on forms answer by themselves; the one that was sent too early is sent now. */
export function sendEarlyForm(): void {
  window.hasLiveForms = true
  const early = window.earlySubmit
  window.earlySubmit = undefined
  if (early?.target instanceof HTMLFormElement && early.target.isConnected)
    early.target.requestSubmit(early.submitter)
}
