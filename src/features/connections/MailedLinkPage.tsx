import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { AnswerList } from '#features/sessions/AnswerList.tsx'
import { CallFailed } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { Logo } from '#platform/ui/Logo.tsx'
import { mailedAnswers, useEndByMail, useMailedLink } from './client.web.ts'
import { LoadingAnswers } from './ToConfirmPage.tsx'

/** The token behind #, taken out of the address bar at once; it stays with this entry of the tab's history, so that a reload works. */
function takeToken(): string {
  const fromAddress = location.hash.slice(1)
  if (!fromAddress) return String((history.state as { mailed?: string } | null)?.mailed ?? '')
  history.replaceState({ ...(history.state as object | null), mailed: fromAddress }, '', location.pathname)
  return fromAddress
}

interface MailedLinkPageProps {
  /** Downloads the statement of a month that both confirmed. */
  statement: (token: string, month: string) => Promise<void>
}

/** The page of an emailed link: a tutor answers without an account. */
export default function MailedLinkPage({ statement }: MailedLinkPageProps) {
  const [token, setToken] = useState(takeToken)
  // A second link opened in the same tab changes only what stands behind #.
  useEffect(() => {
    const take = () => setToken(takeToken())
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  useEffect(() => {
    document.title = 'Confirm sessions · Tutorlog'
    document.body.dataset.role = 'tutor'
    return () => {
      delete document.body.dataset.role
    }
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
        {token ? <Mailed token={token} statement={statement} /> : <Gone />}
      </main>
    </QueryClientProvider>
  )
}

function Mailed({ token, statement }: MailedLinkPageProps & { token: string }) {
  const mailed = useMailedLink(token)
  const [isEnded, setIsEnded] = useState(false)
  if (isEnded)
    return (
      <div className="mt-6">
        <Empty
          isPage
          title="The link is ended"
          line="What you confirmed stays confirmed. You can close this page."
        />
      </div>
    )
  if (mailed.isPending)
    return (
      <>
        <Heading />
        <LoadingAnswers />
      </>
    )
  if (mailed.isError) {
    const isGone = mailed.error instanceof CallFailed && [404, 422].includes(mailed.error.problem.status)
    return isGone ? (
      <Gone />
    ) : (
      <>
        <Heading />
        <div className="mt-6">
          <LoadFailed title="The sessions did not load" onRetry={() => void mailed.refetch()} />
        </div>
      </>
    )
  }
  const { family_name: family, sessions } = mailed.data
  const waits = sessions.some((session) => session.waits_for_you)
  return (
    <>
      <Heading />
      <p className="mt-1 text-ink-2">
        {family ?? 'A family'} keeps a record of the lessons with you. Confirm what took place, send back what
        is not right.
      </p>
      {!waits && (
        <div className="mt-6">
          <Empty
            title="Nothing to confirm"
            line={
              sessions.length > 0
                ? 'You have answered everything. Thank you.'
                : 'No sessions were logged with you yet. You get an email when there are some.'
            }
          />
        </div>
      )}
      <AnswerList reader="tutor" sessions={sessions} answers={mailedAnswers(token, statement)} />
      <EndLink token={token} onEnded={() => setIsEnded(true)} />
    </>
  )
}

function Heading() {
  return <h1 className="mt-5">Sessions to confirm</h1>
}

function EndLink({ token, onEnded }: { token: string; onEnded: () => void }) {
  const end = useEndByMail(token)
  const run = (forget: boolean) => void end.mutateAsync(forget).then(onEnded, () => undefined)
  return (
    <Disclosure
      className="mt-10"
      title={<span className="text-ink-2">Not your student, or no wish to answer?</span>}
    >
      <p className="mt-1 text-ink-2">
        The family will see that you ended it. You need no account for any of this.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button
          tone="secondary"
          size="small"
          busy={end.isPending}
          busyText="Ending..."
          onClick={() => run(false)}
        >
          End the link
        </Button>
        <Button
          tone="danger-outline"
          size="small"
          busy={end.isPending}
          busyText="Ending..."
          onClick={() => run(true)}
        >
          End it, and never write to me again
        </Button>
      </div>
      {end.isError && (
        <p role="alert" className="err mt-2">
          The link could not be ended. Please try again.
        </p>
      )}
    </Disclosure>
  )
}

function Gone() {
  return (
    <div className="mt-6">
      <Empty
        isPage
        title="This link has expired or was ended"
        line="Ask the family to send you a new question, or open the link of the newest email."
      />
    </div>
  )
}
