import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { useMe, useSeesAmounts } from '#features/accounts/client.web.ts'
import { formatMoney } from '#kernel/money.ts'
import { Button } from '#platform/ui/Button.tsx'
import { chipText, type Offer } from './usual.ts'
import { useOffers, useOneTap } from './usual.web.ts'

/** The most lessons offered at once. */
const MOST = 2

const keyOf = ({ student_id, tutor_id, subject, duration, date }: Offer) =>
  JSON.stringify([student_id, tutor_id, subject, duration, date])

/** The lessons that someone probably wants to log now, each with one tap. */
export default function UsualList() {
  const { role, currency } = useMe()
  const seesAmounts = useSeesAmounts()
  const { offers, students, tutors, today, costOf } = useOffers()
  const { add, busy } = useOneTap()
  // A row stays once it's shown, so that a second tap never hits another lesson.
  const [shown, setShown] = useState<Offer[]>([])
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set())
  const now = offers.slice(0, MOST)
  if (shown.length === 0 && now.length > 0) setShown(now)
  const open = new Set(offers.map(keyOf))
  const log = async (offer: Offer) => {
    if (await add(offer)) setAdded((before) => new Set(before).add(keyOf(offer)))
  }
  return shown.map((offer) => {
    const cost = seesAmounts ? costOf(offer) : undefined
    const text = chipText(offer, students, tutors, role !== 'parent', today)
    const words = cost === undefined ? text : `${text} · ${formatMoney(cost, currency)}`
    // A lesson that was logged in another way, or that the reader may no longer log, isn't offered anymore.
    if (!open.has(keyOf(offer)) && !added.has(keyOf(offer))) return null
    if (!open.has(keyOf(offer)))
      return (
        <p key={keyOf(offer)} className="flex min-h-[56px] items-center gap-2 px-4 text-ink-2">
          <Check className="i shrink-0 text-ok" aria-hidden="true" />
          <span className="min-w-0 wrap-anywhere">
            <span className="sr-only">Added: </span>
            {text}
          </span>
        </p>
      )
    return (
      <Button
        key={keyOf(offer)}
        tone="secondary"
        className="num min-h-[56px] justify-start! text-left"
        busy={busy.some((one) => keyOf(one) === keyOf(offer))}
        busyText="Adding..."
        onClick={() => void log(offer)}
      >
        <Plus className="i" aria-hidden="true" />
        <span className="min-w-0 flex-1 wrap-anywhere">
          <span className="sr-only">Add </span>
          {words}
        </span>
      </Button>
    )
  })
}
