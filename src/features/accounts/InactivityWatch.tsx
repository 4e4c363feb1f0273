import { useEffect, useState } from 'react'
import { Button } from '#platform/ui/Button.tsx'
import { late } from '#platform/ui/late.tsx'
import { renewLogin, signOut, signOutIdle } from './client.web.ts'
import { formatCountdown, inactivityAt, warningAt } from './inactivity.ts'
import { lastActivity, noteActivity, watchActivity } from './inactivity.web.ts'

// Loaded on demand: few people ever see the warning, and dialogs are heavy.
const AlertPanel = late(async () => (await import('#platform/ui/AlertPanel.tsx')).AlertPanel)

/**
 * Screen readers announce the remaining time at 15 minutes, 5 minutes, 1 minute and 30 seconds
 * (docs/design/look.md, section 8).
 */
const ANNOUNCED_SECONDS = new Set([900, 300, 60, 30])

/** Tracks inactivity on every signed-in screen: warns the user, counts down, then signs them out. */
export function InactivityWatch() {
  const [secondsLeft, setSecondsLeft] = useState<number>()
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    let isShown = false
    let isOver = false
    const look = () => {
      const [now, last] = [Date.now(), lastActivity()]
      const isNowOver = inactivityAt(now, last).phase === 'expired'
      if (isNowOver && !isOver) void signOutIdle()
      isOver = isNowOver
      const left = warningAt(now, last, isShown)
      if (left !== undefined && ANNOUNCED_SECONDS.has(left))
        setAnnouncement(`Time remaining: ${formatCountdown(left)}`)
      isShown = left !== undefined
      setSecondsLeft(left)
    }
    // If the user comes back in time, notifies the server right away. Other tabs find out through
    // localStorage.
    const unwatch = watchActivity(() => {
      look()
      void renewLogin()
    })
    const ticking = setInterval(look, 1000)
    addEventListener('visibilitychange', look)
    addEventListener('storage', look)
    look()
    return () => {
      unwatch()
      clearInterval(ticking)
      removeEventListener('visibilitychange', look)
      removeEventListener('storage', look)
    }
  }, [])

  if (secondsLeft === undefined) return null
  const extend = () => {
    noteActivity()
    setSecondsLeft(undefined)
    void renewLogin()
  }
  return (
    <AlertPanel title="Session Timeout Warning" onBack={extend}>
      <p className="mt-2 text-ink-2">Your session will expire due to inactivity.</p>
      <div className="mt-5 rounded-lg bg-warn-soft px-5 py-4">
        <p className="text-small text-ink-2" id="time-remaining">
          Time remaining:
        </p>
        <p
          className="disp num mt-1 text-figure-lg leading-none"
          role="timer"
          aria-live="off"
          aria-labelledby="time-remaining"
        >
          {formatCountdown(secondsLeft)}
        </p>
      </div>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      <p className="mt-5">Would you like to extend your session?</p>
      <div className="mt-4 grid gap-2.5">
        <Button onClick={extend}>Extend Session</Button>
        <Button tone="secondary" onClick={() => void signOut()}>
          Logout Now
        </Button>
      </div>
    </AlertPanel>
  )
}
