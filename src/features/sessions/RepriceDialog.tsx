import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useMe } from '#features/accounts/client.web.ts'
import type { RateChange } from '#features/people/client.web.ts'
import { useOwnTutor } from '#features/tutors/client.web.ts'
import { calendarDay, dayIn } from '#kernel/calendar-day.ts'
import { newId } from '#kernel/id.ts'
import { call } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useFailure } from '#platform/ui/entry-form.web.ts'
import { TextField } from '#platform/ui/Field.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useMoney } from '#platform/ui/money.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'
import {
  countOf,
  differenceInWords,
  firstDayToReprice,
  lapseInWords,
  leftOutInWords,
  MOST_REPRICED,
  PreviewReprice,
  repriceTitle,
  type Repricing,
  RepriceSessions,
  UndoReprice,
} from './reprice.ts'
import { otherSide } from './standing-text.ts'

interface RepriceDialogProps {
  change: RateChange
  onClose: () => void
}

/** The rates that sessions of a person had and get: the person's own or, if a student has none, the tutor's. */
interface Rates {
  from: number | null
  to: number
}

/**
 * After a rate was changed, offers to change logged sessions, too. Shows nothing if there are none, and if they
 * couldn't be loaded: the rate itself has been saved.
 */
export function RepriceDialog({ change, onClose }: RepriceDialogProps) {
  const self = useOwnTutor()
  const isStudent = change.kind === 'student'
  const otherwise = isStudent ? (self?.hourly_rate ?? null) : null
  const from = change.before ?? otherwise
  const to = change.person.hourly_rate ?? otherwise
  const isKnown = !isStudent || self !== undefined
  return (
    isKnown && to !== null && to !== from && <Offer change={change} rates={{ from, to }} onClose={onClose} />
  )
}

function Offer({ change, rates, onClose }: RepriceDialogProps & { rates: Rates }) {
  const [typed, setTyped] = useState<string>()
  const start = firstDayToReprice(dayIn(new Date()))
  const day = typed === undefined ? start : calendarDay(typed)
  const offered = usePreview(change, rates, start).data
  const { data = offered, isPlaceholderData, error, refetch } = usePreview(change, rates, day)
  const { reprice, isBusy, problem } = useReprice(change, rates, onClose)
  if (!data || (typed === undefined && !hasNews(data))) return null
  const offer = data
  const count = offer.sessions.length
  const isUsable = count > 0 && day !== undefined && !isPlaceholderData
  return (
    <FormDialog
      title={repriceTitle(offer, new Date())}
      isDirty={false}
      onClose={onClose}
      problem={problem ?? (error ? 'The sessions didn’t load. Check the connection.' : undefined)}
      footer={
        <>
          <Button tone="secondary" onClick={onClose}>
            Not now
          </Button>
          {error ? (
            <Button className="flex-1" onClick={() => void refetch()}>
              Try again
            </Button>
          ) : (
            <Button
              className="flex-1"
              busy={isBusy}
              busyText="Changing..."
              blockedReason={isUsable ? undefined : ''}
              onClick={() => reprice(offer)}
            >
              {count > 0 ? `Also for ${countOf(count)}` : 'Also for these'}
            </Button>
          )}
        </>
      }
    >
      <Figures offer={offer} rates={rates} />
      <div className="my-4">
        <TextField
          label="Since"
          type="date"
          required
          value={typed ?? offer.first_date ?? ''}
          error={day === undefined ? 'Enter a date' : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Effects offer={offer} />
    </FormDialog>
  )
}

function hasNews({ sessions, is_too_many: isTooMany }: Repricing): boolean {
  return sessions.length > 0 || isTooMany
}

/** "$45.00 → $48.30/hour", and by how much the amounts change. */
function Figures({ offer, rates: { from, to } }: { offer: Repricing; rates: Rates }) {
  const money = useMoney()
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <p className="num text-ink-2">{`${from === null ? 'No rate' : money(from)} → ${money(to)}/hour`}</p>
      <p className="num text-[1.375rem] font-semibold">{differenceInWords(offer.differences)}</p>
    </div>
  )
}

/** What has to be confirmed again, and what stays as it is. Read aloud when another day is chosen. */
function Effects({ offer }: { offer: Repricing }) {
  const isParent = useMe().role === 'parent'
  const lapse = lapseInWords(offer.confirmed_by, otherSide(isParent ? 'parent' : 'tutor'))
  return (
    <div className="grid gap-2" aria-live="polite">
      <p className="sr-only">{`${countOf(offer.sessions.length)} ${differenceInWords(offer.differences)}`}</p>
      {offer.is_too_many && <p>{`At most ${MOST_REPRICED} can change at once. Choose a later day.`}</p>}
      {lapse && <p>{lapse}</p>}
      {offer.left_out.length > 0 && <p className="text-small text-ink-2">{leftOutInWords(offer.left_out)}</p>}
    </div>
  )
}

/** What would change since a day. Until it has loaded for another day, what it was before. */
function usePreview({ kind, person }: RateChange, { from, to }: Rates, since: string | undefined) {
  return useQuery({
    queryKey: ['reprice', kind, person.id, from, to, since],
    enabled: since !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(
        PreviewReprice,
        {
          person: kind,
          person_id: person.id,
          ...(from === null ? {} : { old_rate: String(from) }),
          new_rate: String(to),
          since: since ?? '',
        },
        { signal },
      ),
  })
}

/** A retry for the same sessions has the same key. */
interface Attempt extends Pick<Repricing, 'sessions'> {
  idempotencyKey: string
}

/** Changes the sessions that the offer names, and can undo that together with the person's rate. */
function useReprice({ kind, person, before }: RateChange, { from, to }: Rates, onDone: () => void) {
  const toast = useToast()
  const money = useMoney()
  const { problem, fail, clear } = useFailure()
  const attempt = useRef<Attempt>(undefined)
  const input = { person: kind, person_id: person.id, old_rate: from, new_rate: to }
  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ sessions, idempotencyKey }: Attempt) =>
      call(RepriceSessions, { ...input, sessions }, { idempotencyKey }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  const undo = async (sessions: Repricing['sessions']) => {
    try {
      const { changed, is_rate_restored: isRestored } = await call(
        UndoReprice,
        { ...input, sessions, rate: before, version: person.version },
        { idempotencyKey: newId() },
      )
      const kept = [
        ...(changed > 0
          ? [`${countOf(changed)} changed since and ${changed === 1 ? 'stays' : 'stay'}.`]
          : []),
        ...(isRestored ? [] : ['The new rate stays, because it was changed again.']),
      ]
      toast.success('Rates restored', kept.join(' ') || undefined)
    } catch {
      toast.error('Error', 'Failed to undo')
    }
    await queryClient.invalidateQueries()
  }
  const reprice = async (offer: Repricing) => {
    clear()
    if (attempt.current?.sessions !== offer.sessions)
      attempt.current = { sessions: offer.sessions, idempotencyKey: newId() }
    try {
      const { sessions } = await mutateAsync(attempt.current)
      toast.success(
        `${countOf(sessions.length)} changed to ${money(to)}`,
        differenceInWords(offer.differences),
        {
          label: 'Undo',
          run: () => void undo(sessions),
        },
      )
      onDone()
    } catch (error) {
      fail(error, 'Failed to change the sessions')
    }
  }
  return {
    reprice: (offer: Repricing) => void reprice(offer),
    isBusy: isPending,
    problem,
  }
}
