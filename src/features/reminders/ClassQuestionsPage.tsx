import { QueryClientProvider } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { OutcomeChoices } from '#features/schedules/OutcomeChoices.tsx'
import { outcomeChoices, outcomeInWords } from '#features/schedules/outcome.ts'
import { paths } from '#features/site/paths.ts'
import type { Outcome } from '#features/terms/outcome.ts'
import { CallFailed } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { FormAlert } from '#platform/ui/FormAlert.tsx'
import { Logo } from '#platform/ui/Logo.tsx'
import { LoadingCard } from '#platform/ui/Skeleton.tsx'
import type { AskedClass } from './class-question.ts'
import { whenIs, whoMeets } from './class-words.ts'
import { useAnswerClass, useClassQuestions } from './client.web.ts'

/** The token after #. It stays in this history entry, so that a reload works, but not in the address bar. */
function takeToken(): string {
  const { asked = '' } = (history.state ?? {}) as { asked?: string }
  const token = location.hash.slice(1) || asked
  if (location.hash.slice(1))
    history.replaceState({ ...(history.state as object | null), asked: token }, '', location.pathname)
  return token
}

/** The page behind the question after a class. It works without signing in. Opening it answers nothing. */
export default function ClassQuestionsPage() {
  const [token, setToken] = useState(takeToken)
  // Opening a second link in the same tab changes only the part after #.
  useEffect(() => {
    const take = () => setToken(takeToken())
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  useEffect(() => {
    document.title = 'Did it take place? · Tutorlog'
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <main id="main" className="mx-auto min-h-dvh max-w-[36rem] px-5 pt-5 pb-10">
        <a
          href="/"
          className="flex min-h-11 items-center gap-2.5 self-start rounded-md"
          aria-label="Tutorlog home"
        >
          <Logo size={32} />
        </a>
        {token ? <Asked key={token} token={token} /> : <Gone />}
      </main>
    </QueryClientProvider>
  )
}

function Asked({ token }: { token: string }) {
  const asked = useClassQuestions(token)
  if (asked.data) return <Questions token={token} {...asked.data} />
  if (asked.error instanceof CallFailed && [404, 422].includes(asked.error.problem.status)) return <Gone />
  return (
    <>
      <h1 className="mt-5">Did it take place?</h1>
      <div className="mt-6">
        {asked.isPending ? (
          <LoadingCard label="Loading classes..." lines={['h-5 w-2/3', 'h-4 w-1/2']} />
        ) : (
          <LoadFailed title="The classes didn’t load" onRetry={() => void asked.refetch()} />
        )}
      </div>
    </>
  )
}

interface QuestionsProps {
  token: string
  classes: AskedClass[]
  reader: 'parent' | 'tutor'
}

function Questions({ token, classes, reader }: QuestionsProps) {
  const answer = useAnswerClass(token)
  const [problem, setProblem] = useState<CallFailed['problem']>()
  const [said, setSaid] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const status = useRef<HTMLParagraphElement>(null)
  const open = classes.filter(({ status }) => status === 'planned')
  const [only] = classes.length === 1 ? open : []
  // The title stays while the classes are answered one by one.
  const [wasOpen] = useState(open.length)
  useEffect(() => {
    document.body.dataset.role = reader
    return () => {
      delete document.body.dataset.role
    }
  }, [reader])
  // The button that had the focus may be gone.
  useEffect(() => {
    if (said && document.activeElement === document.body) status.current?.focus({ preventScroll: true })
  }, [said])
  const say = async (chosen: readonly AskedClass[], outcome: Outcome | null) => {
    setIsBusy(true)
    setProblem(undefined)
    try {
      for (const { schedule_id, original_date: date } of chosen)
        await answer.mutateAsync({ schedule_id, date, outcome })
      setSaid(saidOf(chosen.length, outcome, reader))
    } catch (error) {
      setProblem(error instanceof CallFailed ? error.problem : FAILED)
    } finally {
      setIsBusy(false)
    }
  }
  const sayOne = (one: AskedClass, outcome: Outcome | null) => void say([one], outcome)
  return (
    <>
      <h1 className="mt-5">{titleOf(wasOpen, classes.length)}</h1>
      {classes.length === 0 ? (
        <p className="mt-2 text-ink-2">
          The schedule has changed, so there’s nothing to answer. You can close this page.
        </p>
      ) : (
        <ul className="card list mt-5 overflow-hidden" aria-label="Classes">
          {classes.map((one) => (
            <Row
              key={`${one.schedule_id} ${one.original_date}`}
              one={one}
              hasButtons={classes.length > 1}
              reader={reader}
              isBusy={isBusy}
              say={sayOne}
            />
          ))}
        </ul>
      )}
      <p role="status" ref={status} tabIndex={-1} className="mt-4 text-ink-2 focus:outline-none empty:mt-0">
        {said && open.length === 0 ? `${said} You can close this page.` : said}
      </p>
      {/* No toast announces it here. */}
      <div role="alert">{problem && <FormAlert text={problem.title} className="mt-4" />}</div>
      {problem && IN_APP.has(problem.code) && (
        <a className="btn btn-s mt-3 w-full" href={paths.dashboard}>
          Open Tutorlog
        </a>
      )}
      {open.length > 0 && (
        <div className="mt-4 grid gap-2.5">
          <Button busy={isBusy} busyText="Saving..." onClick={() => void say(open, null)}>
            {yesTo(open.length)}
          </Button>
          {only && (
            <div>
              <p className="mb-2 text-ink-2">No, it was:</p>
              <OutcomeChoices
                choices={CHOICES}
                reader={reader}
                about={whoMeets(only, reader)}
                isBlocked={isBusy}
                onChoose={(outcome) => sayOne(only, outcome)}
              />
            </div>
          )}
        </div>
      )}
    </>
  )
}

interface RowProps {
  one: AskedClass
  reader: 'parent' | 'tutor'
  isBusy: boolean
  hasButtons: boolean
  say: (one: AskedClass, outcome: Outcome | null) => void
}

function Row({ one, reader, isBusy, hasButtons, say }: RowProps) {
  const [asksHow, setAsksHow] = useState(false)
  const name = `${whoMeets(one, reader)}, ${whenIs(one)}`
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{whoMeets(one, reader)}</p>
        <p className="num text-ink-2">{whenIs(one)}</p>
      </div>
      {one.status === 'planned' ? (
        hasButtons && (
          <div className="flex gap-2">
            <Button
              tone="secondary"
              size="small"
              busy={isBusy}
              aria-label={`Yes: ${name}`}
              onClick={() => say(one, null)}
            >
              Yes
            </Button>
            <Button
              tone="quiet"
              size="small"
              blockedReason={isBusy ? '' : undefined}
              aria-expanded={asksHow}
              aria-label={`No: ${name}`}
              onClick={() => setAsksHow(!asksHow)}
            >
              No
            </Button>
          </div>
        )
      ) : (
        <p className="flex min-h-11 items-center gap-1.5 text-ink-2">
          {one.status === 'logged' ? (
            <Check className="size-5" aria-hidden="true" />
          ) : (
            <X className="size-5" aria-hidden="true" />
          )}
          {one.outcome ? outcomeInWords(one.outcome, reader) : 'In the record'}
        </p>
      )}
      {asksHow && one.status === 'planned' && (
        <div className="w-full pb-1" role="group" aria-label={`How did it end? ${name}`}>
          <p className="mb-2 font-semibold">How did it end?</p>
          <OutcomeChoices
            choices={CHOICES}
            reader={reader}
            about={name}
            isBlocked={isBusy}
            onChoose={(outcome) => say(one, outcome)}
          />
        </div>
      )}
    </li>
  )
}

/** The classes are over, so a cancellation that's told only now was most likely late. */
const CHOICES = outcomeChoices('canceled_late', true)
/** Refusals that the app can settle. */
const IN_APP = new Set(['same_lesson', 'unknown_connection', 'month_closed', 'subscription_required'])
const FAILED = { status: 500, code: 'failed', title: 'That didn’t work. Please try again.' }

function titleOf(open: number, all: number): string {
  if (open === 0) return all === 0 ? 'Nothing to answer' : 'Already answered'
  return all === 1 ? 'Did this class take place?' : 'Did these classes take place?'
}

function yesTo(count: number): string {
  if (count === 1) return 'Yes, it took place'
  return count === 2 ? 'Yes, both took place' : `Yes, all ${count} took place`
}

function saidOf(count: number, outcome: Outcome | null, reader: 'parent' | 'tutor'): string {
  if (outcome) return `Noted: ${outcomeInWords(outcome, reader).toLowerCase()}.`
  if (count === 1) return 'It’s in the record.'
  return count === 2 ? 'Both are in the record.' : `All ${count} are in the record.`
}

function Gone() {
  return (
    <div className="mt-6">
      <Empty
        isPage
        title="This link has expired"
        line="Links in emails work for 14 days. In the app, you can answer at any time."
        action={
          <a className="btn btn-s" href={paths.dashboard}>
            Open Tutorlog
          </a>
        }
      />
    </div>
  )
}
