import { CheckCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSide } from '#features/accounts/client.web.ts'
import { priceInShort } from '#features/prices/price.ts'
import { useSessionLink } from '#features/sessions/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { UNKNOWN_STUDENT } from '#features/students/student.ts'
import { type CalendarDay, dayIn, formatDay } from '#kernel/calendar-day.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { formatAmount } from '#kernel/money.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { CallFailed } from '#platform/api.web.ts'
import { useFailureToast } from '#platform/query.web.ts'
import { Button, ButtonLink } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { openedBy, RowOpener } from '#platform/ui/RowLink.tsx'
import { Loading } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useAnswerPairs, useConnections, useConnects, useOtherName, usePairs } from './client.web.ts'
import type { SessionPair } from './connection.ts'

/** The pairs of the URL's connection, and what to show until they've loaded. */
function useShownPairs() {
  const [query] = useSearchParams()
  const connections = useConnections()
  // If the URL doesn't name a connection, uses the first one with something to compare.
  const id = query.get('connection') ?? connections.data?.find(({ pairs }) => pairs > 0)?.id ?? ''
  const connection = connections.data?.find((candidate) => candidate.id === id)
  const pairs = usePairs(id, id !== '')
  useFailureToast(pairs.error, 'Failed to fetch sessions')
  const isGone =
    (id === '' && !connections.isLoading && !connections.isError) ||
    (pairs.error instanceof CallFailed && pairs.error.problem.status === 404)
  return {
    id,
    connection,
    list: pairs.data?.pairs ?? [],
    isLoading: pairs.isLoading || connections.isLoading,
    isEmpty: isGone || (pairs.isSuccess && pairs.data.pairs.length === 0),
    hasFailed: !isGone && (pairs.isError || (id === '' && connections.isError)),
    retry: () => void (id === '' ? connections : pairs).refetch(),
  }
}

/** Shows sessions that both sides logged, so that the reader can mark each pair as one lesson or two. */
export default function PairsPage() {
  const { id, connection, list, isLoading, isEmpty, hasFailed, retry } = useShownPairs()
  const reader = useSide()
  const connects = useConnects()
  const otherName = useOtherName()
  return (
    <div className="mx-auto max-w-[46rem]">
      <PageTitle
        title="Same lessons?"
        subtitle={
          isLoading || list.length > 0
            ? 'Both of you logged these. A lesson counts only once. If your entries differ, you’ll each ' +
              `confirm the result.${connects ? '' : ' Only the owner can answer.'}`
            : undefined
        }
      />
      {isLoading && <LoadingPairs />}
      {hasFailed && (
        <div className="mt-5">
          <LoadFailed title="The sessions didn’t load" onRetry={retry} />
        </div>
      )}
      {isEmpty && (
        <div className="mt-5">
          <Empty
            title="Nothing to compare"
            line="No sessions look like they were logged by both of you."
            action={<ButtonLink to={paths.toConfirm}>Sessions to confirm</ButtonLink>}
          />
        </div>
      )}
      {list.length > 0 && (
        <PairList
          connectionId={id}
          pairs={list}
          other={connection ? otherName(connection) : reader === 'parent' ? 'The tutor' : 'The family'}
        />
      )}
    </div>
  )
}

/** Placeholders shaped like the pairs. */
function LoadingPairs() {
  return (
    <Loading label="Loading sessions...">
      {[1, 2].map((pair) => (
        <div key={pair} className="card mt-5 p-5">
          <div className="sk h-5 w-32" />
          <div className="sk mt-2 h-4 w-56 max-w-full" />
          <div className="mt-5 grid grid-cols-2 gap-3">
            <div className="sk h-64" />
            <div className="sk h-64" />
          </div>
          <div className="sk mt-4 h-11 w-56 max-w-full" />
        </div>
      ))}
    </Loading>
  )
}

function PairList({
  connectionId,
  pairs,
  other,
}: {
  connectionId: string
  pairs: SessionPair[]
  other: string
}) {
  const connects = useConnects()
  const toast = useToast()
  const answer = useAnswerPairs(connectionId)
  const [asked, setAsked] = useState<{ which: 'same' | 'different'; ids: string[] }>()
  const say = async ({ which, ids }: NonNullable<typeof asked>) => {
    try {
      const { answered, other_currency: kept } = await answer.mutateAsync({ [which]: ids })
      if (answered < ids.length) toast.error('Some of these have changed', 'Please check them again.')
      else if (kept) toast.success('Saved as two lessons', 'The one in another currency isn’t shared.')
      else
        toast.success(
          which === 'different'
            ? 'Saved as two lessons'
            : ids.length === 1
              ? 'Saved as one lesson'
              : `${ids.length} pairs saved as one lesson each`,
        )
    } catch (error) {
      toast.error(
        'Error',
        error instanceof CallFailed ? error.problem.title : 'Your answer could not be saved',
      )
    } finally {
      setAsked(undefined)
    }
  }
  return (
    <>
      {connects && pairs.length > 1 && (
        <Button
          tone="secondary"
          className="mt-5 w-full md:w-auto"
          onClick={() => setAsked({ which: 'same', ids: pairs.map(({ id }) => id) })}
        >
          <CheckCheck className="i" aria-hidden="true" />
          Merge all ({pairs.length})
        </Button>
      )}
      <ul className="mt-5 grid gap-4">
        {pairs.map((pair) => (
          <PairRow key={pair.id} pair={pair} other={other}>
            {connects && (
              <div className="mt-4 flex flex-wrap gap-2">
                <Button
                  size="small"
                  aria-label={`Same lesson, ${nameOf(pair)}`}
                  onClick={() => setAsked({ which: 'same', ids: [pair.id] })}
                >
                  Same lesson
                </Button>
                <Button
                  size="small"
                  tone="secondary"
                  aria-label={`Two lessons, ${nameOf(pair)}`}
                  onClick={() => setAsked({ which: 'different', ids: [pair.id] })}
                >
                  Two lessons
                </Button>
              </div>
            )}
          </PairRow>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          {...questionOf(asked)}
          busyText="Saving..."
          tone="primary"
          isBusy={answer.isPending}
          onConfirm={() => void say(asked)}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** Asks for confirmation, because neither answer can be undone. */
function questionOf({ which, ids }: { which: 'same' | 'different'; ids: string[] }) {
  if (which === 'different')
    return {
      title: 'Save as two lessons?',
      text: "Both count, and you won't be asked about them again.",
      confirmLabel: 'Two lessons',
    }
  return {
    title: ids.length === 1 ? 'Save as one lesson?' : `Save ${ids.length} pairs as one lesson each?`,
    text: "Your entry and theirs become one, and can't be separated again.",
    confirmLabel: ids.length === 1 ? 'Same lesson' : 'Merge all',
  }
}

/** What happens to the entry in another currency if these are two lessons; undefined if there's no such entry. */
function keptApart({ yours, theirs, currency }: SessionPair): string | undefined {
  if (yours.currency === theirs.currency) return undefined
  return yours.currency === currency
    ? `If they’re two lessons, theirs stays only theirs: it’s in ${theirs.currency}, and you share ${currency}.`
    : `If they’re two lessons, yours stays only yours: it’s in ${yours.currency}, and you share ${currency}.`
}

type PairSide = SessionPair['yours']

const dayInWords = (date: string) =>
  formatDay(date as CalendarDay, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(date.startsWith(dayIn(new Date()).slice(0, 4)) ? {} : { year: 'numeric' }),
  })

const nameOf = ({ first_name: name, yours }: SessionPair) =>
  `${name ?? UNKNOWN_STUDENT}, ${formatDay(yours.date as CalendarDay, { month: 'short', day: 'numeric' })}`

/** The facts to compare in a pair, and how to format each one. */
const FACTS: { label: string; of: (side: PairSide) => string }[] = [
  { label: 'Date', of: ({ date }) => dayInWords(date) },
  { label: 'Start', of: ({ start_time: time }) => (time === null ? '–' : formatTime(time)) },
  { label: 'Duration', of: ({ duration }) => hoursInWords(duration) },
  { label: 'Rate', of: (side) => priceInShort(side, side.currency, 'No rate') },
  {
    label: 'Amount',
    of: ({ total_amount: amount, currency }) => (amount === null ? '–' : formatAmount(amount, currency)),
  },
  { label: 'Subject', of: ({ subject }) => subject ?? '–' },
]

/**
 * Shows both versions, side by side if there's room. Clicking the row opens the reader's version. Differences
 * are marked, including for screen readers.
 */
function PairRow({ pair, other, children }: { pair: SessionPair; other: string; children: ReactNode }) {
  const { session_id: id, first_name: name, yours } = pair
  const link = useSessionLink()({ id, date: yours.date, student_name: name })
  return (
    <li className="card p-5" {...openedBy(link)}>
      <h2 className="row-title">{link ? <RowOpener link={link}>{nameOf(pair)}</RowOpener> : nameOf(pair)}</h2>
      <p className="text-small text-ink-2">
        {pair.is_equal ? 'Date, duration and price are the same.' : 'Your entries differ.'}
        {keptApart(pair) && ` ${keptApart(pair)}`}
        {pair.held === 'yours' && ' Your entry won’t count toward any total until one of you answers.'}
        {pair.held === 'theirs' && ' Their entry won’t count toward any total until one of you answers.'}
      </p>
      <div className="mt-1 grid grid-cols-[repeat(auto-fit,minmax(min(8.25rem,100%),1fr))] gap-x-3">
        <Logged name="You" side={pair.yours} against={pair.theirs} />
        <Logged name={other} side={pair.theirs} against={pair.yours} />
      </div>
      {children}
    </li>
  )
}

interface LoggedProps {
  name: string
  side: PairSide
  /** The other side's version. */
  against: PairSide
}

function Logged({ name, side, against }: LoggedProps) {
  return (
    <div className="row-span-7 grid grid-rows-subgrid content-start">
      <h3 className="mt-2 text-small wrap-anywhere">{name}</h3>
      <dl className="row-span-6 grid grid-rows-subgrid">
        {FACTS.map(({ label, of }) => {
          if (label === 'Start' && !side.start_time && !against.start_time) return null
          const differs = of(side) !== of(against)
          return (
            <div key={label} className="mt-1.5 border-t border-line pt-1">
              <dt className="text-small text-ink-3">
                {label}
                {differs && <span className="sr-only">, differs</span>}
              </dt>
              <dd className={`num wrap-anywhere ${differs ? 'font-semibold text-warn' : ''}`}>{of(side)}</dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}
