// Registers the service worker, and tells when a newer version of the app is ready than the one that runs.
import { appVersion } from '#platform/copy.web.ts'
import type { Toasts } from '#platform/ui/Toast.tsx'

/** How often a page that stays open asks for a newer version. */
const LOOK_MS = 3_600_000
/** A half-filled form is left in peace; it is looked at again after this. */
const PEACE_MS = 5000

/** Watches for newer versions; returns what ends that. Without TLS there is no service worker, and nothing to watch. */
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
    if ([...typed].some((form) => form.isConnected)) timer = setTimeout(offer, PEACE_MS)
    else toast.success('A new version is ready', undefined, { label: 'Reload', run: () => location.reload() })
  }
  const onMessage = ({ data }: MessageEvent) => {
    if (typeof data?.entry === 'string' && new URL(data.entry, location.href).href !== appVersion()) offer()
  }
  const look = () => void registration?.update().catch(() => undefined)
  const looking = setInterval(look, LOOK_MS)
  workers.addEventListener('message', onMessage)
  addEventListener('input', onInput)
  addEventListener('online', look)
  void (async () => {
    registration = await workers.register('/service-worker.js', { updateViaCache: 'none' })
    // A sign-out emptied what the worker keeps; it fills up again for the next user.
    const ready = await workers.ready
    ready.active?.postMessage('fill')
  })().catch((error: unknown) => console.warn('no service worker', error))
  return () => {
    clearTimeout(timer)
    clearInterval(looking)
    workers.removeEventListener('message', onMessage)
    removeEventListener('input', onInput)
    removeEventListener('online', look)
  }
}
