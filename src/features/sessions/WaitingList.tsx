import { lazy, Suspense } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import { useWaiting } from './waiting.web.ts'

// Most people have neither.
const DeviceList = lazy(() => import('./DeviceList.tsx'))
const HeldCard = lazy(async () => ({ default: (await import('./HeldCard.tsx')).HeldCard }))

/** The sessions of a month (yyyy-MM) or all that count in no total yet: those that wait for an answer on the list of pairs, and those that wait on this device. */
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
