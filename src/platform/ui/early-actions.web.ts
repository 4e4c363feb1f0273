// A form submitted before a prerendered page's script had loaded would reload the page with the typed values in
// the URL, and a button pressed by then would do nothing. early.js holds both back until the page is ready.

declare global {
  interface Window {
    isLive?: boolean
    earlySubmit?: SubmitEvent
    earlyPress?: Element | null
  }
}

/** From now on, the page handles what people do. What early.js held back is done now. */
export function doEarlyActions(): void {
  window.isLive = true
  const { earlySubmit, earlyPress } = window
  window.earlySubmit = undefined
  window.earlyPress = undefined
  if (earlyPress instanceof HTMLElement && earlyPress.isConnected) earlyPress.click()
  if (earlySubmit?.target instanceof HTMLFormElement && earlySubmit.target.isConnected)
    earlySubmit.target.requestSubmit(earlySubmit.submitter)
}
