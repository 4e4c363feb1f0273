import { useState } from 'react'
import { paths } from '#features/site/paths.ts'
import { CallFailed, refusalText } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { Empty } from '#platform/ui/Empty.tsx'
import { useClaim, useConfirmAddress } from './client.web.ts'

const TRY_AGAIN = 'The server could not be reached. Nothing is lost. Please try again.'

/** Asks before a handed-over link is claimed for this device. Says nothing about who made it. */
export function ClaimCard({ onDone }: { onDone: () => void }) {
  const claim = useClaim()
  const [problem, setProblem] = useState<string>()
  const run = async () => {
    setProblem(undefined)
    try {
      if (await claim.mutateAsync()) return onDone()
      setProblem('Your browser doesn’t keep cookies here. Allow them, or open the link in another browser.')
    } catch (error) {
      // The page says why the link can't be used.
      if (error instanceof CallFailed && [403, 404].includes(error.problem.status)) return onDone()
      setProblem(refusalText(error, TRY_AGAIN))
    }
  }
  return (
    <section className="card mt-6 p-6">
      <h1>Open this link on this device?</h1>
      <p className="mt-2 text-ink-2">
        Somebody gave you a link to lessons you share. The first browser that continues keeps it: after that,
        it opens nowhere else.
      </p>
      <p className="mt-2 text-ink-2">
        If you’re inside a messenger now, open it in your usual browser first.
      </p>
      <Button className="mt-5 w-full" busy={claim.isPending} busyText="Opening..." onClick={() => void run()}>
        Continue on this device
      </Button>
      {problem && (
        <p role="alert" className="err mt-3">
          {problem}
        </p>
      )}
    </section>
  )
}

/** Asks whether an address may be used for the lessons shared with whoever handed over the link. */
export function ConfirmAddressCard({ onDone }: { onDone: () => void }) {
  const confirm = useConfirmAddress()
  return (
    <section className="card mt-6 p-6">
      <h1>Use this email address?</h1>
      <p className="mt-2 text-ink-2">
        You then get an email here when there’s something to confirm. With this address, you can also open an
        account, and everything comes with you.
      </p>
      <Button
        className="mt-5 w-full"
        busy={confirm.isPending}
        busyText="Saving..."
        onClick={() => void confirm.mutateAsync().then(onDone, () => undefined)}
      >
        Use this address
      </Button>
      {confirm.isError && (
        <p role="alert" className="err mt-3">
          {refusalText(confirm.error, TRY_AGAIN)}
        </p>
      )}
    </section>
  )
}

interface Closed {
  title: string
  line: string
  to?: { href: string; label: string }
}

/** For every other code. */
const GONE: Closed = {
  title: 'This link has expired or been turned off',
  line: 'Open the link in the latest email, or ask the sender for a new one. If you have an account with this address, everything is in the app.',
  to: { href: paths.login, label: 'Sign in' },
}

/** Why a link can't be used, by the code of the refusal. */
export const CLOSED_LINKS: Record<string, Closed> = {
  own_link: {
    title: 'This link is for the person you sent it to',
    line: 'You’re signed in to the account that sent it. If that person is using this device, sign out and open the link again.',
    to: { href: paths.dashboard, label: 'Go to your dashboard' },
  },
  link_used: {
    title: 'This link was already used',
    line: 'It opens only in the browser that used it first. If that was yours, open it there, or ask for a new link.',
  },
  link_ended: {
    title: 'This link was replaced or turned off',
    line: 'Ask the person who gave it to you for a new one.',
  },
  link_lapsed: {
    title: 'This link wasn’t opened in time',
    line: 'Ask the person who gave it to you for a new one.',
  },
}

/** Shown instead of a link's page if the link can't be used. */
export function ClosedLink({ code }: { code: string }) {
  const { title, line, to } = CLOSED_LINKS[code] ?? GONE
  return (
    <div className="mt-6">
      <Empty
        isPage
        title={title}
        line={line}
        action={
          to && (
            <a className="btn btn-s" href={to.href}>
              {to.label}
            </a>
          )
        }
      />
    </div>
  )
}
