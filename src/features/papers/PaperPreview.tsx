import { ChevronDown } from 'lucide-react'
import type { UseFormReturn } from 'react-hook-form'
import { useMe } from '#features/accounts/client.web.ts'
import { METHOD_LABELS } from '#features/payments/payment-form.ts'
import type { Method } from '#features/payments/payment.ts'
import { type CalendarDay, formatDay } from '#kernel/calendar-day.ts'
import { formatAmount } from '#kernel/money.ts'
import { hoursInWords } from '#kernel/duration.ts'
import { formatTime } from '#kernel/wall-clock.ts'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { LoadingCard } from '#platform/ui/Skeleton.tsx'
import type { usePreview } from './client.web.ts'
import { PLACE_WORDS, PLACES } from './content.ts'
import type { PaperPreview as Preview } from './paper.ts'
import type { PaperFields } from './paper-form.ts'
import { NO_TAX_ADVICE, programOf, READ_ON } from './program.ts'

interface PaperPreviewProps {
  preview: ReturnType<typeof usePreview>
  typed: PaperFields
  form: UseFormReturn<PaperFields>
}

/** What the paper would say, what keeps it from being issued, and what its program wants besides. */
export function PaperPreview({ preview, typed, form }: PaperPreviewProps) {
  const { data: shown, isComplete } = preview
  if (!isComplete) return <Incomplete />
  if (preview.isError)
    return (
      <div className="mt-5">
        <LoadFailed title="The preview didn’t load" onRetry={() => void preview.refetch()} />
      </div>
    )
  if (!shown)
    return (
      <div className="mt-5">
        <LoadingCard label="Loading the preview..." lines={['h-4 w-3/5', 'h-3 w-full', 'h-3 w-4/5']} />
      </div>
    )
  return (
    <div className="mt-6 grid gap-5">
      {typed.kind === 'record' ? (
        <Obstacles shown={shown} />
      ) : (
        <Missing shown={shown} program={typed.program} />
      )}
      <Lines shown={shown} typed={typed} form={form} />
    </div>
  )
}

function Incomplete() {
  const isFamily = useMe().role === 'parent'
  return (
    <p className="mt-5 text-ink-2">
      Select a {isFamily ? 'tutor, a child' : 'student'} and days to see what the paper would say.
    </p>
  )
}

function Obstacles({ shown }: { shown: Preview }) {
  return shown.obstacles.map(({ code, message }) => (
    <p key={code} className="form-alert mt-2">
      <span className="min-w-0 flex-1 wrap-anywhere">{message}</span>
    </p>
  ))
}

function missingTitle({ missing, obstacles }: Preview, program: string): string {
  if (missing.length > 0)
    return program === 'free-form' ? 'Missing' : `Missing for: ${programOf(program)?.name}`
  return obstacles.length > 0 ? 'Not ready yet' : 'Nothing is missing'
}

function Missing({ shown, program }: { shown: Preview; program: string }) {
  const { source = '' } = programOf(program) ?? {}
  const asked = formatDay(READ_ON, { month: 'long', year: 'numeric' })
  return (
    <section aria-labelledby="paper-missing" aria-live="polite">
      <h3 id="paper-missing">{missingTitle(shown, program)}</h3>
      <Obstacles shown={shown} />
      {shown.missing.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {shown.missing.map(({ field, message }) => (
            <li key={field} className="py-0.5">
              {message}
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-small text-ink-2">
        Checked against {source}, as of {asked}. {NO_TAX_ADVICE}
      </p>
    </section>
  )
}

const CONFIRMED = {
  practice: { both: 'Agreed', provider: 'Only you', family: 'Only the family' },
  family: { both: 'Agreed', provider: 'Only the tutor', family: 'Only you' },
} as const
const WHY: Record<string, string> = {
  not_right: 'is marked as not right',
  leaving: 'is about to be deleted',
  not_taught_yet: 'is in the future',
  waiting: 'isn’t confirmed by both',
  not_shared: 'isn’t shared with the tutor',
}
const shortDay = (day: string) => formatDay(day as CalendarDay, { month: 'short', day: 'numeric' })

function Lines({ shown, typed, form }: Omit<PaperPreviewProps, 'preview'> & { shown: Preview }) {
  const inMoney = (amount: number) => formatAmount(amount, shown.currency)
  const confirmed = CONFIRMED[useMe().role === 'parent' ? 'family' : 'practice']
  return (
    <section aria-labelledby="paper-lines">
      <h3 id="paper-lines">On the paper</h3>
      <ul className="list mt-2 border-y border-line">
        {shown.lessons.map((lesson) => (
          <li key={lesson.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <Line
              title={`${shortDay(lesson.date)}, ${lesson.subject ?? 'no subject'}`}
              detail={[
                lesson.start && lesson.end
                  ? `${formatTime(lesson.start)} – ${formatTime(lesson.end)}`
                  : 'no start time',
                hoursInWords(lesson.duration),
                confirmed[lesson.confirmed_by],
              ]}
              amount={lesson.amount === null ? 'no price' : inMoney(lesson.amount)}
            />
            {typed.place === '' && (
              <PlaceField
                day={shortDay(lesson.date)}
                value={typed.places[lesson.id] ?? lesson.place ?? ''}
                onChange={(place) =>
                  form.setValue('places', { ...typed.places, [lesson.id]: place }, { shouldDirty: true })
                }
              />
            )}
          </li>
        ))}
        {shown.charges.map((charge) => (
          <li key={charge.id} className="flex items-center gap-4 py-2">
            <Line
              title={`${shortDay(charge.date)}, ${charge.what}`}
              detail={[confirmed[charge.confirmed_by]]}
              amount={inMoney(charge.amount)}
            />
          </li>
        ))}
        {shown.payments.map((payment, at) => (
          <li key={at} className="flex items-center gap-4 py-2">
            <Line
              title={`${shortDay(payment.date)}, ${paidWords(payment)}`}
              detail={[confirmed[payment.confirmed_by]]}
              amount={`− ${inMoney(payment.amount)}`}
            />
          </li>
        ))}
      </ul>
      <dl className="mt-3 grid gap-1">
        {(['total', 'paid', 'due'] as const).map((name) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="num text-ink-2">
              {name[0]?.toUpperCase() + name.slice(1)}
              {name === 'due' && shown.due_on && ` on ${shortDay(shown.due_on)}`}
            </dt>
            <dd className="num font-semibold">{inMoney(shown[name])}</dd>
          </div>
        ))}
      </dl>
      {shown.left_out.map(({ what, date, why }, at) => (
        <p key={at} className="mt-2 text-small text-ink-2">
          The {what} of {shortDay(date)} isn’t on the paper, because it {WHY[why]}.
        </p>
      ))}
    </section>
  )
}

function paidWords({ kind, method, amount }: Preview['payments'][number]): string {
  if (kind === 'credit') return amount < 0 ? 'credit used for other lessons' : 'credit'
  const what = kind === 'prepaid' ? 'prepaid hours' : 'payment'
  return method ? `${what}, ${METHOD_LABELS[method as Method].toLowerCase()}` : what
}

interface LineProps {
  title: string
  detail: readonly string[]
  amount: string
}

function Line({ title, detail, amount }: LineProps) {
  return (
    <>
      <div className="min-w-40 flex-1">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="text-small text-ink-2">{detail.join(', ')}</p>
      </div>
      <span className="num font-semibold">{amount}</span>
    </>
  )
}

interface PlaceFieldProps {
  day: string
  value: string
  onChange: (place: string) => void
}

function PlaceField({ day, value, onChange }: PlaceFieldProps) {
  return (
    <div className="relative max-sm:w-full">
      <select
        className="in sm:max-w-48"
        aria-label={`Place of the lesson of ${day}`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="" disabled>
          Choose the place
        </option>
        {PLACES.map((place) => (
          <option key={place} value={place}>
            {PLACE_WORDS[place]}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-3.5 size-[18px] -translate-y-1/2 text-ink-2"
        aria-hidden="true"
      />
    </div>
  )
}
