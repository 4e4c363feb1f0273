// Says to screen readers what changed on screen without anyone's doing. There's one region for all of them, because
// text is announced only in a region that's already there.
let region: HTMLElement | undefined

/** Makes the region, for whatever may be announced later. */
export function readyToAnnounce(): void {
  if (region?.isConnected) return
  region = document.createElement('div')
  region.className = 'sr-only'
  region.setAttribute('aria-live', 'polite')
  document.body.append(region)
}

export function announce(text: string): void {
  if (region) region.textContent = text
}
