import { useState } from 'react'
import { useLocation } from 'react-router'
import { readLogin } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { call, CallFailed } from '#platform/api.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { PublicShell } from '#platform/ui/PublicShell.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { ReportNotMe } from './settings.ts'

/**
 * Opened by "This wasn't me" in an email. It requires a button press, because email programs also open links.
 */
export default function NotMePage() {
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token') ?? ''
  const toast = useToast()
  const [state, setState] = useState<'asking' | 'busy' | 'done' | 'over'>('asking')
  const report = async () => {
    setState('busy')
    try {
      await call(ReportNotMe, { token })
      setState('done')
      // This browser may have been signed in, too.
      await readLogin()
    } catch (error) {
      const problem = error instanceof CallFailed ? error.problem : undefined
      if (problem?.code === 'invalid_link') return setState('over')
      toast.error(
        'Error',
        problem && problem.status < 500 ? problem.title : "That didn't work. Please try again.",
      )
      setState('asking')
    }
  }
  if (state === 'done')
    return (
      <PublicShell isCentered>
        <div role="status">
          <PageTitle title="Everyone is signed out" />
          <p className="mt-3 text-lead text-ink-2">
            We emailed you a link to choose a new password. Until then, the old one doesn’t work for anyone.
          </p>
        </div>
      </PublicShell>
    )
  if (state === 'over')
    return (
      <PublicShell isCentered>
        <div role="status">
          <PageTitle title="This link is over" />
          <p className="mt-3 text-lead text-ink-2">
            It has already been used or has expired. You can still choose a new password: that signs everyone
            out, too.
          </p>
        </div>
        <p className="mt-7">
          <a className="link inline-flex min-h-11 items-center" href={paths.forgotPassword}>
            Choose a new password
          </a>
        </p>
      </PublicShell>
    )
  return (
    <PublicShell isCentered>
      <PageTitle title="This wasn’t you?" />
      <p className="mt-3 text-lead text-ink-2">
        Press the button to sign out everyone, also on your own devices. Your password stops working, and so
        do passkeys, Google, a second step and recovery codes if they were added since. We then email you a
        link to choose a new password.
      </p>
      <p className="mt-3 text-ink-2">If it was you, close this page and nothing will change.</p>
      <div className="mt-7 grid">
        <Button busy={state === 'busy'} busyText="Signing everyone out..." onClick={() => void report()}>
          Sign everyone out
        </Button>
      </div>
    </PublicShell>
  )
}
