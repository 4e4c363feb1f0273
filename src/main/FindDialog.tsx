import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { Search, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useRecentSessions } from '#features/sessions/client.web.ts'
import type { Session } from '#features/sessions/session.ts'
import { sessionAddress } from '#features/sessions/client.web.ts'
import { accountKey } from '#features/payments/balance-text.ts'
import { usePaymentsWith } from '#features/payments/client.web.ts'
import type { Payment } from '#features/payments/payment.ts'
import { typedReference } from '#features/payments/reference.ts'
import { paths, personPage } from '#features/site/paths.ts'
import { useStudents } from '#features/students/client.web.ts'
import { useTutors } from '#features/tutors/client.web.ts'
import { type CalendarDay, formatDay, monthOf } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { useBackGesture, whenClear } from '#platform/ui/back-gesture.web.ts'
import { type Findable, found, pagesFor } from './find.ts'
import { useReader } from './reader.web.ts'

/** The kinds of people among the results, which have pages of their own. */
const PEOPLE = { Children: 'child', Students: 'student', Tutors: 'tutor' } as const

/** Finds and opens a child, a tutor, a recent session, a page, or a payment by its reference. */
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
  ]
  const paid = (payments.data ?? []).map(findablePayment)
  const results = [...found(typed, all), ...paid]
  const choose = async (one: Findable) => {
    onClose()
    await whenClear()
    const session = sessions.data?.sessions.find(({ id }) => one.kind === 'Sessions' && id === one.id)
    if (session) return navigate(sessionAddress(session))
    await navigate(one.kind in PEOPLE ? personPage(PEOPLE[one.kind as keyof typeof PEOPLE], one.id) : one.id)
  }
  const isLoading = students.isPending || tutors.isPending || sessions.isPending || payments.isLoading
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
                    key={`${one.kind} ${one.id}`}
                    value={one}
                    className="flex min-h-12 items-center gap-3 px-5 data-highlighted:bg-sunken"
                    onClick={() => void choose(one)}
                  >
                    <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">
                      {one.label}
                      {(one.kind === 'Sessions' || one.kind === 'Payments') && (
                        <span className="num text-ink-2"> · {one.detail}</span>
                      )}
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

/** A payment's page is its account's, in its month. */
function findablePayment(payment: Payment): Findable {
  const { reference, amount, currency, date, student_name: student, tutor_name: tutor } = payment
  const account = accountKey({
    connection_id: payment.connection_id,
    id: payment.tutor_id ?? payment.student_id,
  })
  const query = new URLSearchParams({ with: account, month: monthOf(date as CalendarDay) })
  const detail = [formatAmount(amount, currency), formatDay(date as CalendarDay), tutor ?? student]
  return {
    kind: 'Payments',
    id: `${paths.payments}?${query.toString()}`,
    label: reference ?? '',
    detail: detail.filter(Boolean).join(', '),
  }
}
