// If someone submitted a prerendered form before its script had loaded, the page would reload with the typed
// values in the URL. To prevent that, early.js holds back the submission until the form is ready.

declare global {
  interface Window {
    hasLiveForms?: boolean
    earlySubmit?: SubmitEvent
  }
}

/** From now on, forms handle their own submissions. If early.js held one back, it's submitted now. */
export function sendEarlyForm(): void {
  window.hasLiveForms = true
  const early = window.earlySubmit
  window.earlySubmit = undefined
  if (early?.target instanceof HTMLFormElement && early.target.isConnected)
    early.target.requestSubmit(early.submitter)
}
