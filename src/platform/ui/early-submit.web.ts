// Submitting a prerendered form before its script has loaded would reload the page with the typed values in the URL, so
// early.js holds the submit until the form is ready.

declare global {
  interface Window {
    hasLiveForms?: boolean
    earlySubmit?: SubmitEvent
  }
}

/** Forms handle their own submits from now on; a submit held back earlier is sent now. */
export function sendEarlyForm(): void {
  window.hasLiveForms = true
  const early = window.earlySubmit
  window.earlySubmit = undefined
  if (early?.target instanceof HTMLFormElement && early.target.isConnected)
    early.target.requestSubmit(early.submitter)
}
