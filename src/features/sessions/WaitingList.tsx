import { lazy, Suspense } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { useWaiting } from './waiting.web.ts'

// Loaded on demand, because most people have no waiting sessions.
const DeviceList = lazy(() => import('./DeviceList.tsx'))
const HeldCard = lazy(async () => ({ default: (await import('./HeldCard.tsx')).HeldCard }))

/**
 * Sessions that aren't in any total yet, for one month (yyyy-MM) or all months: possible duplicates, and
 * sessions waiting on this device.
 */
export default function WaitingList({
  month = '',
  isHeldShown = true,
}: {
  month?: string
  isHeldShown?: boolean
}) {
  const isWaiting = useWaiting(useMe()).some(({ shown }) => shown.date.startsWith(month))
  return (
    <Suspense fallback={null}>
      {isHeldShown && <HeldCard month={month} />}
      {isWaiting && <DeviceList month={month} />}
    </Suspense>
  )
}
