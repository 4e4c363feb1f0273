// Registers the service worker, and offers to reload the page when there's a newer version of the app.
import { appVersion } from '#platform/copy.web.ts'
import type { Toasts } from '#platform/ui/Toast.tsx'

/** How often an open page checks for a newer version. */
const CHECK_MS = 3_600_000
/** How long to wait before offering a reload again, if a form is half filled in. */
const RETRY_MS = 5000

/**
 * Watches for newer versions, and returns a function that stops it. Does nothing without TLS, because service workers
 * need it.
 */
export function watchVersions(toast: Toasts): () => void {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker
  if (!workers) return () => undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let registration: ServiceWorkerRegistration | undefined
  const typed = new Set<HTMLFormElement>()
  const onInput = ({ target }: Event) => {
    if (
      target instanceof HTMLInputElement ||
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement
    ) {
      if (target.form) typed.add(target.form)
    }
  }
  const offer = () => {
    clearTimeout(timer)
    if ([...typed].some((form) => form.isConnected)) timer = setTimeout(offer, RETRY_MS)
    else toast.success('A new version is ready', undefined, { label: 'Reload', run: () => location.reload() })
  }
  const onMessage = ({ data }: MessageEvent) => {
    if (typeof data?.entry === 'string' && new URL(data.entry, location.href).href !== appVersion()) offer()
  }
  const look = () => void registration?.update().catch(() => undefined)
  const looking = setInterval(look, CHECK_MS)
  workers.addEventListener('message', onMessage)
  addEventListener('input', onInput)
  addEventListener('online', look)
  void (async () => {
    registration = await workers.register('/service-worker.js', { updateViaCache: 'none' })
    // Signing out empties the cache, so fill it again for the next user.
    const ready = await workers.ready
    ready.active?.postMessage('fill')
  })().catch((error: unknown) => console.warn('could not register the service worker', error))
  return () => {
    clearTimeout(timer)
    clearInterval(looking)
    workers.removeEventListener('message', onMessage)
    removeEventListener('input', onInput)
    removeEventListener('online', look)
  }
}
