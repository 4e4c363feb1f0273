// If someone submitted a prerendered form before its script had loaded, the page would reload with the typed
// values in the URL. early.js holds such a submit until the form is ready.

declare global {
  interface Window {
    hasLiveForms?: boolean
    earlySubmit?: SubmitEvent
  }
}

/** From now on, forms handle submits themselves. If early.js held back a submit, it's sent now. */
export function sendEarlyForm(): void {
  window.hasLiveForms = true
  const early = window.earlySubmit
  window.earlySubmit = undefined
  if (early?.target instanceof HTMLFormElement && early.target.isConnected)
    early.target.requestSubmit(early.submitter)
}
