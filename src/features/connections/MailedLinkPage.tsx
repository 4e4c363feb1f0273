import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { AnsweredList } from '#features/sessions/AnsweredList.tsx'
import { paths } from '#features/site/paths.ts'
import { CallFailed } from '#platform/api.web.ts'
import { openByLink } from '#platform/link.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { Disclosure } from '#platform/ui/Disclosure.tsx'
import { Empty, LoadFailed } from '#platform/ui/Empty.tsx'
import { Logo } from '#platform/ui/Logo.tsx'
import type { Side } from '#platform/ui/Ticks.tsx'
import { useEndLink, useLink } from './client.web.ts'
import { AddAddressSection } from './AddAddressSection.tsx'
import { ClaimCard, ClosedLink, CLOSED_LINKS, ConfirmAddressCard } from './ClaimCard.tsx'
import { ConfirmedMonths } from './ConfirmedMonths.tsx'
import type { EmailedPage } from './emailed.ts'
import { canClose, EmailedMonths } from './EmailedMonths.tsx'
import { EmailedPayments } from './EmailedPayments.tsx'
import { late } from '#platform/ui/late.tsx'
import { familyOf, namesInWords, tutorOf } from '#features/workspaces/sides.ts'
import { TickList } from './TickList.tsx'
import { LoadingAnswers } from './ToConfirmPage.tsx'

const EmailedTermsCard = late(
  async () => (await import('#features/terms/EmailedTermsCard.tsx')).EmailedTermsCard,
)

const EmailedPapersCard = late(
  async () => (await import('#features/papers/EmailedPapersCard.tsx')).EmailedPapersCard,
)

/**
 * Returns the token after # and removes it from the address bar. The token stays in this history entry so
 * that a reload works. From now on, it's sent with each call.
 */
function takeToken(): string {
  // Nobody else can use the token of a handed-over link once it's claimed. It stays in the address, so that the page
  // can be bookmarked.
  if (location.pathname === paths.handedLink) {
    openByLink(location.hash.slice(1) || undefined)
    return location.hash.slice(1)
  }
  const { mailed = '' } = (history.state ?? {}) as { mailed?: string }
  const token = location.hash.slice(1) || mailed
  if (location.hash.slice(1))
    history.replaceState({ ...(history.state as object | null), mailed: token }, '', location.pathname)
  openByLink(token || undefined)
  return token
}

/** The page behind a link, emailed or handed over, where a tutor or a family answers without an account. */
export default function MailedLinkPage() {
  const [token, setToken] = useState(takeToken)
  // Opening a second link in the same tab changes only the part after #.
  useEffect(() => {
    const take = () => setToken(takeToken())
    addEventListener('hashchange', take)
    return () => {
      removeEventListener('hashchange', take)
      openByLink(undefined)
    }
  }, [])
  useEffect(() => {
    document.title = isHanded() ? 'Tutorlog' : 'Confirm sessions · Tutorlog'
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
        {token ? <Mailed key={token} token={token} /> : <ClosedLink code="link_gone" />}
      </main>
    </QueryClientProvider>
  )
}

const isHanded = () => location.pathname === paths.handedLink
/** Before a link is claimed, its page says nothing about what it's for. */
const loadingTitle = () => (isHanded() ? 'Opening the link...' : 'Sessions to confirm')

function Mailed({ token }: { token: string }) {
  const mailed = useLink(token)
  const [isEnded, setIsEnded] = useState(false)
  if (isEnded)
    return (
      <div className="mt-6">
        <Empty
          isPage
          title="You turned off this link"
          line="What you confirmed stays confirmed. You can close this page."
        />
      </div>
    )
  if (mailed.isPending)
    return (
      <>
        <h1 className="mt-5">{loadingTitle()}</h1>
        <LoadingAnswers />
      </>
    )
  const refusal = mailed.error instanceof CallFailed ? mailed.error.problem : undefined
  const retry = () => void mailed.refetch()
  if (refusal?.code === 'link_unclaimed') return <ClaimCard onDone={retry} />
  if (refusal?.code === 'address_unconfirmed') return <ConfirmAddressCard onDone={retry} />
  if (refusal && (refusal.code in CLOSED_LINKS || [404, 422].includes(refusal.status)))
    return <ClosedLink code={refusal.code} />
  if (!mailed.data)
    return (
      <>
        <h1 className="mt-5">{isHanded() ? 'This link' : 'Sessions to confirm'}</h1>
        <div className="mt-6">
          <LoadFailed
            title={isHanded() ? 'The link didn’t open' : 'Your sessions didn’t load'}
            onRetry={() => void mailed.refetch()}
          />
        </div>
      </>
    )
  return <Opened page={mailed.data} onEnded={() => setIsEnded(true)} />
}

interface OpenedProps {
  page: EmailedPage
  onEnded: () => void
}

function Opened({ page, onEnded }: OpenedProps) {
  const { side, other_name: name, first_names: firstNames, sessions, money, terms, months } = page
  const reader = side === 'practice' ? 'tutor' : 'parent'
  const other = reader === 'tutor' ? familyOf(name, firstNames) : tutorOf(name, firstNames)
  const closed = months.filter(({ state }) => state === 'closed')
  const [hasJustClosed, setHasJustClosed] = useState(false)
  // The page has only one primary button. Sessions take precedence, then the month, then payments.
  const isForMonth = hasJustClosed || months.some(canClose)
  const areTermsAsked = terms.some((one) => one.waits_for_you)
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const waits = sessions.filter((session) => session.waits_for_you && !session.is_read_only)
  // Set once, so that the title doesn't change after the last session is answered.
  const [title] = useState(waits.length > 0 ? `${other} asks you to confirm` : `Your sessions with ${other}`)
  useEffect(() => {
    document.title = `${title} · Tutorlog`
    document.body.dataset.role = reader
    return () => {
      delete document.body.dataset.role
    }
  }, [title, reader])
  return (
    <>
      <h1 className="mt-5 wrap-anywhere">{title}</h1>
      {waits.length > 0 && (
        <p className="mt-1 text-ink-2">
          {reader === 'tutor'
            ? 'They logged these lessons with you. Uncheck any that aren’t right.'
            : `${possessive(firstNames)} lessons, as ${other} logged them. Uncheck any that aren’t right.`}
        </p>
      )}
      <TickList sessions={waits} reader={reader} other={other} onConfirmed={setConfirmed} />
      {waits.length === 0 && sessions.length === 0 && (
        <div className="mt-6">
          <Empty
            title="Nothing to confirm"
            line={
              page.handed && !page.email
                ? 'No sessions have been logged yet. Open this page again when there are some.'
                : 'No sessions have been logged yet. You will get an email when there are some.'
            }
          />
        </div>
      )}
      {sessions.length > 0 && waits.length === 0 && (
        <ConfirmedMonths
          sessions={sessions}
          reader={reader}
          email={page.email}
          isFresh={confirmed.length > 0}
          closed={closed.map(({ month }) => month)}
        />
      )}
      <AnsweredList reader={reader} sessions={sessions} foldsConfirmed />
      {terms.length > 0 && <EmailedTermsCard terms={terms} other={other} isQuiet={waits.length > 0} />}
      <EmailedPayments
        money={money}
        side={side}
        other={other}
        isQuiet={waits.length > 0 || isForMonth || areTermsAsked}
      />
      <EmailedMonths
        months={months}
        reader={reader}
        other={other}
        isQuiet={waits.length > 0}
        onClosed={() => setHasJustClosed(true)}
      />
      {side === 'practice' && <EmailedPapersCard />}
      {page.handed && !page.email && <AddAddressSection asked={page.handed.asked_address} />}
      <EndLink reader={reader} email={page.email} onEnded={onEnded} />
    </>
  )
}

/** The children's names as a possessive, for example "Maya and Leo's"; "The" if we don't know any names. */
function possessive(firstNames: readonly string[]): string {
  return firstNames.length > 0 ? `${namesInWords(firstNames)}'s` : 'The'
}

interface EndLinkProps {
  reader: Side
  /** Null if the reader has given none. */
  email: string | null
  onEnded: () => void
}

function EndLink({ reader, email, onEnded }: EndLinkProps) {
  const [person, side] = reader === 'tutor' ? ['student', 'family'] : ['tutor', 'tutor']
  const end = useEndLink()
  const [asking, setAsking] = useState<'end' | 'forget'>()
  const run = () =>
    void end
      .mutateAsync(asking === 'forget')
      .then(onEnded, () => undefined)
      .finally(() => setAsking(undefined))
  return (
    <Disclosure
      className="mt-10"
      title={<span className="text-ink-2">Not your {person}, or don’t want to answer?</span>}
    >
      <p className="mt-1 text-ink-2">
        The {side} will see that you turned it off. You don’t need an account for any of this.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button tone="secondary" size="small" onClick={() => setAsking('end')}>
          Turn off this link
        </Button>
        {email && (
          <Button tone="danger-outline" size="small" onClick={() => setAsking('forget')}>
            Turn it off and never email me again
          </Button>
        )}
      </div>
      {end.isError && (
        <p role="alert" className="err mt-2">
          The link could not be turned off. Please try again.
        </p>
      )}
      {asking && (
        <ConfirmDialog
          title="Turn off this link?"
          text={`This page stops working, and the ${side} will see that you turned it off. What you confirmed stays confirmed.`}
          {...(asking === 'forget' && {
            consequence: 'You also get no more emails from anyone who uses Tutorlog.',
          })}
          confirmLabel="Turn off this link"
          busyText="Turning off..."
          isBusy={end.isPending}
          onConfirm={run}
          onCancel={() => setAsking(undefined)}
        />
      )}
    </Disclosure>
  )
}
