// Makes the app work offline for the signed-in user. Stores the app's files, a copy of the loaded data, and
// the sessions waiting to be sent.
import type { Me } from '#features/accounts/account.ts'
import { readLogin } from '#features/accounts/client.web.ts'
import { keepSubscribed } from '#features/push/client.web.ts'
import type { Round } from '#features/sessions/sending.ts'
import { tellPlace } from '#features/settings/client.web.ts'
import { loadForLogging } from '#features/sessions/client.web.ts'
import { sendNow, startSending } from '#features/sessions/waiting.web.ts'
import { keepCopy, openCopy } from '#platform/copy.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { isServerReachable, watchReachable } from '#platform/connectivity.web.ts'
import type { Toasts } from '#platform/ui/Toast.tsx'
import { watchVersions } from './version.web.ts'

/**
 * The data that goes into the offline copy: the lists and months on the everyday screens. Everything else,
 * such as the list of logins, the payment options, the details on papers and what's typed for
 * one, is left out.
 */
const KEPT = new Set([
  'dashboard',
  'students',
  'tutors',
  'connections',
  'sessions',
  'confirmations',
  'held',
  'summary',
  'balances',
  'ledger',
  'payments',
  'charges',
  'papers',
  'terms',
  'make-ups',
  'months',
  'year',
  'schedules',
  'schedule-offers',
  'occurrences',
  'moved-classes',
  'missed',
  'lesson-days',
  'person-months',
])
/** How often to check whether an unreachable server is available again. */
const ASK_MS = 15_000

/**
 * Starts offline support and messages. Returns a function that stops it.
 * @param goTo shows the page that a message leads to
 */
export function startDevice(me: Me, toast: Toasts, goTo: (path: string) => void): () => void {
  let stopKeeping: (() => void) | undefined
  let isStopped = false
  // Data that this tab has already loaded is newer than the stored copy, so the copy doesn't replace it.
  void openCopy(me)
    .catch(() => undefined)
    .then(() => {
      if (isStopped) return
      stopKeeping = keepCopy(me, KEPT)
      loadForLogging()
    })
  // A server that can't be reached is told the next time.
  void tellPlace(me).catch(() => undefined)
  const stopSending = startSending(me.id, (round) => tell(round, toast))
  const stopVersions = watchVersions(toast)
  const stopMessages = watchMessages(goTo)
  const asking = setInterval(() => {
    if (!isServerReachable() && document.visibilityState === 'visible') void readLogin()
  }, ASK_MS)
  const stopWatching = watchReachable(() => {
    if (!isServerReachable()) return
    void queryClient.invalidateQueries()
    void sendNow()
  })
  return () => {
    isStopped = true
    stopKeeping?.()
    stopSending()
    stopVersions()
    stopMessages()
    clearInterval(asking)
    stopWatching()
  }
}

/** Keeps messages coming to this device, and shows the page of one that was tapped while the app was open. */
function watchMessages(goTo: (path: string) => void): () => void {
  const workers = (navigator as { serviceWorker?: ServiceWorkerContainer }).serviceWorker
  const onMessage = ({ data }: MessageEvent) => {
    if (typeof data?.goTo === 'string') goTo(data.goTo)
  }
  workers?.addEventListener('message', onMessage)
  // A server or push service that can't be reached is asked again the next time.
  void keepSubscribed().catch(() => undefined)
  return () => workers?.removeEventListener('message', onMessage)
}

function tell({ stored, held, refused }: Round, toast: Toasts): void {
  if (refused > 0)
    toast.error(
      'Error',
      refused === 1
        ? 'A session was not accepted. It is still on this device.'
        : `${refused} sessions were not accepted. They are still on this device.`,
    )
  else if (stored.length > 0)
    toast.success(
      stored.length === 1 ? 'Session added successfully' : `${stored.length} sessions added successfully`,
      held === 0
        ? undefined
        : `${held === 1 ? '1 session is waiting' : `${held} sessions are waiting`} under “Same lessons?” ` +
            'because the other person logged a lesson that day, too.',
    )
}
