import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useRecentSessions } from '#features/sessions/client.web.ts'
import type { Session } from '#features/sessions/session.ts'
import { sessionAddress } from '#features/sessions/client.web.ts'
import { accountKey } from '#features/payments/balance-text.ts'
import type { Charge } from '#features/charges/charge.ts'
import { useRecentCharges } from '#features/charges/client.web.ts'
import { usePaymentsWith, useRecentPayments } from '#features/payments/client.web.ts'
import type { Payment } from '#features/payments/payment.ts'
import { chargeDetail, chargeTitle, factsOf } from '#features/payments/payment-words.ts'
import { typedReference } from '#features/payments/reference.ts'
import { paths, personPage } from '#features/site/paths.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { type CalendarDay, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { useBackGesture, whenClear } from '#platform/ui/back-gesture.web.ts'
import { type Findable, found, pagesFor } from './find.ts'
import { useReader } from './reader.web.ts'

/** The kinds whose results show their details, too. */
const DETAILED = new Set<Findable['kind']>(['Sessions', 'Payments', 'Charges'])
/** The kinds of people among the results, which have pages of their own. */
const PEOPLE = { Children: 'child', Students: 'student', Tutors: 'tutor' } as const

/** Finds and opens a child, a tutor, a page, a recent session, payment or charge, or any payment by its reference. */
export function FindDialog({ onClose }: { onClose: () => void }) {
  const reader = useReader()
  const { role } = reader
  const navigate = useNavigate()
  const hint = useId()
  const [typed, setTyped] = useState('')
  const students = useStudents()
  const tutors = useTutors()
  const sessions = useRecentSessions()
  const payments = usePaymentsWith(typedReference(typed))
  const recentPayments = useRecentPayments()
  const recentCharges = useRecentCharges()
  useBackGesture(onClose)

  const people = role === 'parent' ? ('Children' as const) : ('Students' as const)
  const all: Findable[] = [
    ...(students.data ?? []).map(({ id, name }) => ({ kind: people, id, label: name })),
    ...(role === 'parent' ? (tutors.data ?? []) : []).map(({ id, name, subjects }) => ({
      kind: 'Tutors' as const,
      id,
      label: name,
      detail: subjects.join(' '),
    })),
    ...pagesFor(reader),
    ...(sessions.data?.sessions ?? []).map((session) => findableSession(session)),
    ...(recentPayments.data ?? []).map((payment) => findablePayment(payment)),
    ...(recentCharges.data ?? []).map((charge) => findableCharge(charge)),
  ]
  const paid = (payments.data ?? []).map(findableReference)
  const results = [...found(typed, all), ...paid]
  const choose = async (one: Findable) => {
    onClose()
    await whenClear()
    const session = sessions.data?.sessions.find(({ id }) => one.kind === 'Sessions' && id === one.id)
    if (session) return navigate(sessionAddress(session))
    await navigate(one.kind in PEOPLE ? personPage(PEOPLE[one.kind as keyof typeof PEOPLE], one.id) : one.id)
  }
  const isLoading =
    [students, tutors, sessions].some((list) => list.isPending) ||
    [payments, recentPayments, recentCharges].some((list) => list.isLoading)
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-scrim" />
        <Dialog.Viewport className="fixed inset-0 z-30 grid grid-cols-1 items-start pt-[10vh]">
          <Dialog.Popup className="sheet" aria-label="Find">
            <Autocomplete.Root
              open
              inline
              items={results}
              mode="none"
              value={typed}
              onValueChange={setTyped}
              itemToStringValue={(one) => one.label}
              autoHighlight="always"
              keepHighlight
            >
              <div className="flex flex-none items-center gap-3 border-b border-line pr-2 pl-5">
                <Search className="i text-ink-3" aria-hidden="true" />
                <Autocomplete.Input
                  className="h-14 min-w-0 flex-1 bg-transparent outline-none"
                  aria-label="Find a child, tutor, session or page"
                  aria-describedby={hint}
                  placeholder={`Find a ${role === 'parent' ? 'child, tutor' : 'student'}, session or page`}
                />
                <Dialog.Close className="ib" aria-label="Close">
                  <X className="i" aria-hidden="true" />
                </Dialog.Close>
              </div>
              <span id={hint} className="sr-only">
                Press Enter to open the highlighted result.
              </span>
              <Autocomplete.Empty className="px-5 py-6 text-ink-2 empty:hidden">
                {typed.trim() ? (isLoading ? 'Loading...' : `Nothing found for "${typed.trim()}".`) : ''}
              </Autocomplete.Empty>
              <Autocomplete.List className="min-h-0 overflow-auto py-2 empty:hidden">
                {(one: Findable) => (
                  <Autocomplete.Item
                    key={`${one.kind} ${one.id} ${one.detail}`}
                    value={one}
                    className="flex min-h-12 items-center gap-3 px-5 data-highlighted:bg-sunken"
                    onClick={() => void choose(one)}
                  >
                    <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">
                      {one.label}
                      {DETAILED.has(one.kind) && <span className="num text-ink-2"> · {one.detail}</span>}
                    </span>
                    <span className="text-small text-ink-3">{one.kind}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Sessions can be found by subject, people or date. */
function findableSession({ id, date, student_name, tutor_name, subject }: Session): Findable {
  const label = [subject ?? 'Session', student_name, tutor_name].filter(Boolean).join(', ')
  return { kind: 'Sessions', id, label, detail: formatDay(date as CalendarDay) }
}

type Amount = Pick<Payment | Charge, 'amount' | 'currency' | 'date'> &
  Pick<Payment | Charge, 'connection_id' | 'tutor_id' | 'student_id' | 'tutor_name' | 'student_name'>

/** The page of a payment or charge is its account's, in its month. */
function addressOf(
  { connection_id, tutor_id, student_id, date }: Amount,
  opens: Record<string, string> = {},
) {
  const account = accountKey({ connection_id, id: tutor_id ?? student_id })
  const query = { with: account, month: monthOf(date as CalendarDay), ...opens }
  return `${paths.payments}?${new URLSearchParams(query).toString()}`
}

function detailOf({ amount, currency, date, tutor_name: tutor, student_name: student }: Amount): string[] {
  return [formatAmount(amount, currency), formatDay(date as CalendarDay), tutor ?? student].filter(
    (part) => part !== null,
  )
}

/** Any payment can be found by its reference. */
function findableReference(payment: Payment): Findable {
  return {
    kind: 'Payments',
    id: addressOf(payment),
    label: payment.reference ?? '',
    detail: detailOf(payment).join(', '),
  }
}

/** A payment can be found by its note, kind and method, its people, its amount or its date. */
function findablePayment(payment: Payment): Findable {
  const { id, note } = payment
  const facts = factsOf({ ...payment, reference: null })
  const detail = [...(note ? [facts] : []), ...detailOf(payment)]
  return {
    kind: 'Payments',
    id: addressOf(payment, { edit: id }),
    label: note ?? facts,
    detail: detail.join(', '),
  }
}

/** A charge can be found by what it's for, its reason, its people, its amount or its date. */
function findableCharge(charge: Charge): Findable {
  const detail = [chargeDetail(charge), ...detailOf(charge)].filter(Boolean)
  return {
    kind: 'Charges',
    id: addressOf(charge, { charge: charge.id }),
    label: chargeTitle(charge),
    detail: detail.join(', '),
  }
}
