// If someone submits a prerendered form before its script has loaded, the page would reload with the typed
// values in the URL. early.js holds the submit back until the form is ready.

declare global {
  interface Window {
    hasLiveForms?: boolean
    earlySubmit?: SubmitEvent
  }
}

/** From now on, forms handle submits themselves. If early.js held one back, it's sent now. */
export function sendEarlyForm(): void {
  window.hasLiveForms = true
  const early = window.earlySubmit
  window.earlySubmit = undefined
  if (early?.target instanceof HTMLFormElement && early.target.isConnected)
    early.target.requestSubmit(early.submitter)
}
